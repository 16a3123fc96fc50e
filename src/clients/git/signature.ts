/** Whether a commit or a tag is signed with one of the given public keys: git asks gpg or ssh-keygen, with these keys alone. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandError } from '#clients/command/command-error.ts'
import { run } from '#clients/command/run.ts'
import { Problem } from '#model/problem.ts'
import type { Access } from './access.ts'
import { runGit } from './git.ts'
import type { Store } from './objects.ts'

/** Public keys as text: armored OpenPGP blocks, and lines of `.pub` files. */
export type PublicKeys = { readonly openPgp: readonly string[]; readonly ssh: readonly string[] }

export type Signature =
  | { readonly isGood: true }
  /** `why` is a part of a sentence that names the key, if there is one. */
  | { readonly isGood: false; readonly why: string }

export type Signed = { readonly kind: 'commit' | 'tag'; readonly id: string }

export async function checkSignature(
  store: Store,
  { kind, id }: Signed,
  keys: PublicKeys,
  signal: AbortSignal,
): Promise<Signature> {
  const folder = await mkdtemp(join(store.folder, '..', 'keys-'))
  try {
    const access = await onlyThese(store, folder, keys, signal)
    const words = [`verify-${kind}`, '--raw', id]
    await runGit(store.git, { ...store, words, access, signal })
    return { isGood: true }
  } catch (error) {
    if (!(error instanceof CommandError) || error.facts.exitCode !== 1) throw error
    return { isGood: false, why: reasonIn(error.facts.errorOutput, kind) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function onlyThese(
  { git, limit }: Store,
  folder: string,
  keys: PublicKeys,
  signal: AbortSignal,
): Promise<Access> {
  const signers = join(folder, 'signers')
  await writeFile(signers, keys.ssh.map((key) => `* namespaces="git" ${key}\n`).join(''))
  await writeFile(join(folder, 'gpg.conf'), 'trust-model always\nno-autostart\nbatch\nno-tty\n')
  if (keys.openPgp.length > 0) {
    const importing = run({
      program: 'gpg',
      arguments: ['--homedir', folder, '--quiet', '--import'],
      environment: { PATH: git.around['PATH'], LC_ALL: 'C', HOME: '/nonexistent' },
      folder: '/',
      input: keys.openPgp.join('\n'),
      limit,
      signal,
    })
    await importing.catch((error: unknown) => {
      throw error instanceof CommandError ? notImported(error) : error
    })
  }
  return {
    environment: { GNUPGHOME: folder },
    settings: [
      ['gpg.ssh.allowedSignersFile', signers],
      ['gpg.minTrustLevel', 'fully'],
      // certificates of X.509 are nobody's here
      ['gpg.x509.program', '/bin/false'],
    ],
    secrets: [],
    close() {},
  }
}

function notImported(error: CommandError): Problem {
  return new Problem({
    type: 'configuration',
    code: 'git_error',
    message: `the OpenPGP keys of verify can't be read: ${error.message}`,
    suggestion: 'Install gnupg where Tend runs, and give what `gpg --armor --export NAME` prints.',
    cause: error,
  })
}

/** Reads the reason from gpg's status lines, or from what ssh-keygen prints. */
function reasonIn(said: string, kind: Signed['kind']): string {
  const status = (word: string) =>
    new Map(
      said.split('\n').flatMap((line) => {
        const found = /^\[GNUPG:\] (\w+) (\S+)/.exec(line)
        return found === null ? [] : [[found[1] ?? '', found[2] ?? ''] as const]
      }),
    ).get(word)
  const bad = status('BADSIG')
  if (bad !== undefined) return `its signature with the key ${bad} does not fit the ${kind}`
  const unknown = status('NO_PUBKEY')
  if (unknown !== undefined) return otherKey(`key ${unknown}`)
  for (const [word, what] of problemsOfKeys) {
    const key = status(word)
    if (key !== undefined) return `it is signed with the key ${key}, ${what}`
  }
  const cannotRun = /cannot (?:run|exec) '?([\w./-]+)/.exec(said)?.[1]
  if (cannotRun !== undefined) return `${cannotRun}, which checks signatures, is not installed here`
  if (/incorrect signature|Could not verify signature/i.test(said)) {
    return `its signature does not fit the ${kind}`
  }
  const key = /\b([\w-]+ key SHA256:\S+)/.exec(said)?.[1]
  if (key !== undefined) return otherKey(key)
  return said.trim() === '' ? 'it is not signed' : 'its signature is of no kind that can be checked'
}

function otherKey(key: string): string {
  return `it is not signed with a key under verify, but with the ${key}`
}

const problemsOfKeys = [
  ['REVKEYSIG', 'which was revoked'],
  ['EXPKEYSIG', 'which has expired'],
  ['EXPSIG', 'and the signature has expired'],
  ['ERRSIG', 'which could not be checked'],
] as const
