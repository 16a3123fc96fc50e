/** Lets pass only what somebody signed whose public key the operator named. */
import { objectAt, type Store } from '#clients/git/objects.ts'
import { checkSignature, type PublicKeys, type Signed } from '#clients/git/signature.ts'
import { fetchInto, type Remote } from '#clients/git/remote.ts'
import type { PublicKeyFrom, Verification } from '#model/declaration.ts'
import { Problem } from '#model/problem.ts'
import { readNamed, type Keepers } from './credential.ts'
import type { GitLimits } from './limits.ts'

type ToVerify = {
  readonly store: Store
  readonly remote: Remote
  readonly limits: GitLimits
  readonly commit: string
  /** The tag that led to the commit; undefined: another way did. */
  readonly tag: string | undefined
}

/** Throws a problem that names the key. The commit has been fetched. */
export async function verify(
  what: ToVerify,
  mode: Verification['mode'],
  known: PublicKeys,
  signal: AbortSignal,
): Promise<void> {
  if (mode !== 'tag') await demand(what, { kind: 'commit', id: what.commit }, known, signal)
  if (mode !== 'head') await demand(what, await fetchTag(what, signal), known, signal)
}

async function demand(
  { store, remote, commit, tag }: ToVerify,
  signed: Signed,
  known: PublicKeys,
  signal: AbortSignal,
): Promise<void> {
  const answer = await checkSignature(store, signed, known, signal)
  if (answer.isGood) return
  const short = commit.slice(0, 12)
  const subject = signed.kind === 'commit' ? `the commit ${short}` : `the tag ${tag}`
  throw refused(
    `${remote.address.shown}: ${subject} is not used: ${answer.why}`,
    `Sign the ${signed.kind} with one of the keys under verify, or add the key of who signed it there.`,
  )
}

/** The tag object must have this tag's own name and point at this commit: a signature for another one says nothing. */
async function fetchTag(what: ToVerify, signal: AbortSignal): Promise<Signed> {
  const { store, remote, limits, commit, tag } = what
  const { shown } = remote.address
  if (tag === undefined) {
    throw refused(
      `${shown}: the signature of a tag is demanded, and no tag is followed`,
      'Follow a tag (ref: refs/tags/NAME), or let verify.mode be head.',
    )
  }
  await fetchInto(
    remote,
    {
      folder: store.folder,
      refs: [`+refs/tags/${tag}:refs/verified/${tag}`],
      depth: 1,
      filter: `blob:limit=${limits.largestFile + 1}`,
      limit: limits.fetchTime,
      mostBytes: limits.mostBytes,
    },
    signal,
  )
  const { id, kind, text } = await objectAt(store, `refs/verified/${tag}`, signal)
  if (kind !== 'tag') {
    throw refused(`${shown}: the tag ${tag} is not used: it is not signed`, 'Sign it: git tag -s.')
  }
  const head = text.slice(0, Math.max(0, text.indexOf('\n\n'))).split('\n')
  if (!head.includes(`object ${commit}`) || !head.includes(`tag ${tag}`)) {
    throw refused(
      `${shown}: the tag ${tag} is not used: what was signed names another commit or another tag`,
      'Find out who made it, and sign a tag of that name.',
    )
  }
  return { kind: 'tag', id }
}

const sshKey =
  /^(?:[^#]*\s)?((?:sk-)?(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp\d+)(?:@openssh\.com)?\s+[A-Za-z0-9+/]{40,}={0,3})(?:\s|$)/
const armored = /-----BEGIN PGP PUBLIC KEY BLOCK-----[^]*?-----END PGP PUBLIC KEY BLOCK-----/g

export async function publicKeys(
  keys: readonly PublicKeyFrom[],
  keepers: Keepers,
): Promise<PublicKeys> {
  const found = await Promise.all(
    keys.map(async (from) => {
      const text = 'text' in from ? from.text : await readNamed(from, keepers, 'a public key')
      const openPgp = text.match(armored) ?? []
      const ssh = text.split('\n').flatMap((line) => sshKey.exec(line.trim())?.[1] ?? [])
      if (openPgp.length + ssh.length === 0) throw notAKey(from)
      return { openPgp, ssh }
    }),
  )
  return { openPgp: found.flatMap((one) => one.openPgp), ssh: found.flatMap((one) => one.ssh) }
}

function notAKey(from: PublicKeyFrom): Problem {
  const shown =
    'text' in from
      ? JSON.stringify(from.text.slice(0, 20))
      : 'file' in from
        ? from.file
        : 'held' in from
          ? from.held
          : `the variable ${from.variable}`
  return refused(
    `there is no public key in ${shown}`,
    'Give what `gpg --armor --export NAME` or a .pub file of ssh-keygen holds.',
  )
}

function refused(message: string, suggestion: string): Problem {
  return new Problem({ type: 'configuration', code: 'git_error', message, suggestion })
}
