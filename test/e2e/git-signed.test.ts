/** Only what was signed with a key that the operator named is used: real git, gpg and ssh-keygen. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { dockerAt } from '#clients/docker/client.ts'
import { inspectContainer, removeContainer } from '#clients/docker/containers.ts'
import type { Verification } from '#model/declaration.ts'
import { Problem } from '#model/problem.ts'
import type { Repository, Snapshot } from '#model/source.ts'
import { gitRepository } from '#sources/git/repository.ts'
import { requiredDocker, startDocker, type TestDocker } from '../testbed/docker.ts'
import { gitBench, type Bench } from '../testbed/git.ts'
import { busybox } from '../testbed/image.ts'
import { servingOn, waitFor, type Serving } from '../testbed/serving.ts'

const { signal } = new AbortController()
const keys = mkdtempSync(join(tmpdir(), 'tend-keys-'))
const benches: Bench[] = []
after(() => {
  benches.forEach((bench) => bench.remove())
  rmSync(keys, { recursive: true, force: true })
})

function bench(): Bench {
  const made = gitBench()
  benches.push(made)
  made.commit('unsigned', { 'a.txt': 'first' })
  return made
}

/** A key pair of ssh: where the private half is, and the public line. */
function sshKey(name: string, type = 'ed25519') {
  const file = join(keys, name)
  execFileSync('ssh-keygen', ['-q', '-t', type, '-N', '', '-C', name, '-f', file])
  return { file, text: readFileSync(`${file}.pub`, 'utf8') }
}

/** A key of gpg without a passphrase: its fingerprint, and the armored public half. */
function gpgKey(name: string, expiry = 'never', at: readonly string[] = []) {
  const home = join(keys, 'gnupg')
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const gpg = (...words: readonly string[]) =>
    execFileSync('gpg', ['--homedir', home, '--batch', '--quiet', ...at, ...words], {
      encoding: 'utf8',
      stdio: 'pipe',
    })
  const user = `${name} <${name}@example.org>`
  gpg('--passphrase', '', '--quick-generate-key', user, 'ed25519', 'sign', expiry)
  const listed = gpg('--list-keys', '--with-colons', `=${user}`)
  const fingerprint = /^fpr:+([0-9A-F]{40})/m.exec(listed)?.[1] ?? ''
  return { fingerprint, text: gpg('--armor', '--export', fingerprint), home }
}

const alice = sshKey('alice')
const mallory = sshKey('mallory')
const bob = gpgKey('bob')
const eve = gpgKey('eve')

function signWithSsh(at: Bench, { file }: { readonly file: string }): void {
  at.git('config', 'gpg.format', 'ssh')
  at.git('config', 'user.signingkey', file)
  at.git('config', 'commit.gpgsign', 'true')
}

function signWithGpg(
  signer: Bench,
  { fingerprint, home }: ReturnType<typeof gpgKey>,
  at: readonly string[] = [],
): void {
  const program = join(signer.folder, 'gpg-of-bench')
  const words = ['--homedir', home, ...at].join(' ')
  writeFileSync(program, `#!/bin/sh\nexec gpg ${words} "$@"\n`, { mode: 0o755 })
  signer.git('config', 'gpg.format', 'openpgp')
  signer.git('config', 'gpg.program', program)
  signer.git('config', 'user.signingkey', fingerprint)
  signer.git('config', 'commit.gpgsign', 'true')
}

function repositoryOf(at: Bench, verify: Verification): Repository {
  const { bare: url, environment } = at
  const cache = join(at.folder, 'cache')
  return gitRepository({
    url,
    credential: undefined,
    submodules: false,
    cache,
    environment,
    verify,
  })
}

/** The folder of the only repository that was followed. */
function cacheOf(at: Bench): string {
  const cache = join(at.folder, 'cache')
  return join(cache, readdirSync(cache)[0] ?? '')
}

async function use(at: Bench, verify: Verification, ref = 'main'): Promise<Snapshot> {
  const repository = repositoryOf(at, verify)
  const revision = (await repository.latest([ref], signal)).get(ref)
  assert.ok(revision, ref)
  return repository.snapshot(revision, ref, signal)
}

function byKeys(mode: Verification['mode'], ...texts: readonly string[]): Verification {
  return { mode, keys: texts.map((text) => ({ text })) }
}

function refusal(pattern: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof Problem, String(error))
    assert.match(error.message, pattern)
    assert.ok(error.suggestion)
    assert.equal(error.recoverable, false)
    return true
  }
}

test('a commit that nobody signed is not used, and one that was kept before is not either', async () => {
  const at = bench()
  const cache = join(at.folder, 'cache')
  const plain = gitRepository({
    url: at.bare,
    credential: undefined,
    submodules: false,
    cache,
    environment: at.environment,
  })
  const head = at.git('rev-parse', 'HEAD')
  await plain.snapshot(head, 'main', signal)
  const wanted = byKeys('head', alice.text, bob.text)
  await assert.rejects(use(at, wanted), refusal(/is not used: it is not signed/))
})

test('an ssh signature passes by its own key alone, and the refusal names the key', async () => {
  const at = bench()
  signWithSsh(at, alice)
  at.commit('signed', { 'a.txt': 'signed' })
  const { tree } = await use(at, byKeys('head', mallory.text, alice.text))
  assert.equal(Buffer.from(tree.read('a.txt') ?? '').toString(), 'signed')
  const fingerprint = execFileSync('ssh-keygen', ['-lf', `${alice.file}.pub`], { encoding: 'utf8' })
  const [, hash = ''] = fingerprint.split(' ')
  const named = new RegExp(`under verify, but with the ED25519 key ${hash.replaceAll('+', '\\+')}`)
  await assert.rejects(use(at, byKeys('head', mallory.text)), refusal(named))
  await assert.rejects(use(at, byKeys('head', bob.text)), refusal(named))
})

test('ssh keys of RSA and ECDSA pass, from a file with several lines', async () => {
  const rsa = sshKey('rsa', 'rsa')
  const ecdsa = sshKey('ecdsa', 'ecdsa')
  const file = join(keys, 'several.pub')
  writeFileSync(file, `# who may sign\n${rsa.text}${ecdsa.text}`)
  for (const key of [rsa, ecdsa]) {
    const at = bench()
    signWithSsh(at, key)
    at.commit('signed', {})
    await use(at, { mode: 'head', keys: [{ file }] })
    await assert.rejects(
      use(at, byKeys('head', alice.text)),
      refusal(/not signed with a key under verify/),
    )
  }
})

test('a signature of gpg passes by its own key alone', async () => {
  const at = bench()
  signWithGpg(at, bob)
  at.commit('signed', {})
  await use(at, byKeys('head', eve.text, bob.text))
  const key = new RegExp(`under verify, but with the key ${bob.fingerprint.slice(-16)}`)
  await assert.rejects(use(at, byKeys('head', eve.text)), refusal(key))
  await assert.rejects(use(at, byKeys('head', alice.text)), refusal(key))
})

test('a key that has expired since is refused by that word', async () => {
  const then = ['--faked-system-time', '20200101T000000!']
  const old = gpgKey('old', '2020-06-01', then)
  const at = bench()
  signWithGpg(at, old, then)
  at.commit('signed', {})
  await assert.rejects(use(at, byKeys('head', old.text)), refusal(/which has expired/))
})

test('a signature that was moved to another commit does not pass', async () => {
  for (const [sign, key] of [
    [(at: Bench) => signWithSsh(at, alice), alice.text],
    [(at: Bench) => signWithGpg(at, bob), bob.text],
  ] as const) {
    const at = bench()
    sign(at)
    at.commit('signed', {})
    const text = at.git('cat-file', 'commit', 'HEAD').replace('\nsigned', '\nforged')
    const file = join(at.folder, 'forged')
    writeFileSync(file, `${text}\n`)
    const forged = at.git('hash-object', '-t', 'commit', '-w', file)
    at.git('push', '-q', '--force', 'origin', `${forged}:refs/heads/main`)
    await assert.rejects(use(at, byKeys('head', key)), refusal(/does not fit the commit/))
  }
})

test('with mode tag the tag is checked, by its own name and for its own commit', async () => {
  const at = bench()
  at.git('config', 'gpg.format', 'ssh')
  at.git('config', 'user.signingkey', alice.file)
  at.git('tag', '-s', '-m', 'one', 'v1')
  at.git('tag', 'v2')
  at.git('push', '-q', 'origin', 'v1', 'v2')
  const byTag = byKeys('tag', alice.text)
  await use(at, byTag, 'v1')
  await use(at, byTag, 'refs/tags/v1')
  await assert.rejects(use(at, byTag, 'v2'), refusal(/the tag v2 is not used: it is not signed/))
  await assert.rejects(use(at, byTag, 'main'), refusal(/no tag is followed/))
  await assert.rejects(
    use(at, byKeys('tag', mallory.text), 'v1'),
    refusal(/not signed with a key under verify/),
  )
  await assert.rejects(use(at, byKeys('all', alice.text), 'v1'), refusal(/commit .* not signed/))
  at.git('push', '-q', '--force', 'origin', 'v1:refs/tags/v3')
  await assert.rejects(use(at, byTag, 'v3'), refusal(/names another commit or another tag/))
})

test('what was signed rightly is so after a restart, while Git is away, and with these keys alone', async () => {
  const at = bench()
  signWithSsh(at, alice)
  const good = at.commit('good', { 'a.txt': 'good' })
  at.git('tag', '-s', '-m', 'one', 'v1')
  at.git('push', '-q', 'origin', 'v1')
  for (const mode of ['head', 'all', 'tag'] as const) await use(at, byKeys(mode, alice.text), 'v1')
  at.git('config', 'commit.gpgsign', 'false')
  at.git('commit', '-q', '--allow-empty', '-m', 'bad')
  at.git('tag', '-f', 'v1')
  at.git('push', '-q', '--force', 'origin', 'v1')
  for (const mode of ['head', 'all', 'tag'] as const) {
    await assert.rejects(use(at, byKeys(mode, alice.text), 'v1'), refusal(/is not signed/))
  }
  renameSync(at.bare, `${at.bare}-away`)
  // many refused commits make the store of objects begin anew
  rmSync(join(cacheOf(at), 'objects.git'), { recursive: true })
  const kept = (verify: Verification, ref = 'v1') =>
    repositoryOf(at, verify).snapshot(good, ref, signal)
  for (const mode of ['head', 'all', 'tag'] as const) {
    const { tree, isSigned } = await kept(byKeys(mode, alice.text))
    assert.equal(Buffer.from(tree.read('a.txt') ?? '').toString(), 'good', mode)
    assert.equal(isSigned, true)
    await assert.rejects(kept(byKeys(mode, mallory.text)), /looking who signed .* failed/)
  }
  await assert.rejects(kept(byKeys('tag', alice.text), 'v2'), /looking who signed .* failed/)
})

test('a key that is none is told, and so is a file that is not there', async () => {
  const at = bench()
  await assert.rejects(use(at, byKeys('head', 'hello')), refusal(/no public key in "hello"/))
  const gone = { mode: 'head', keys: [{ file: join(keys, 'gone') }] } as const
  await assert.rejects(use(at, gone), refusal(/which holds a public key, can't be read/))
  const broken =
    '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nAAAA\n-----END PGP PUBLIC KEY BLOCK-----\n'
  await assert.rejects(use(at, byKeys('head', broken)), refusal(/keys of verify can't be read/))
})

describe('tend serve with verify', { skip: requiredDocker() }, () => {
  let engine: TestDocker
  let serving: Serving
  before(async () => {
    engine = await startDocker()
    await engine.addImage()
    serving = await servingOn({ DOCKER_HOST: `unix://${engine.socket}` })
  })
  after(async () => {
    await serving?.remove()
    await engine?.stop()
  })

  async function told(what: RegExp): Promise<void> {
    await waitFor(async () => {
      const { out } = await serving.tend('get sources')
      return what.test(out.replace(/\s+/g, ' '))
    })
  }

  test('what runs stays while the newest commit is not signed, and the reason says so', async () => {
    const at = bench()
    signWithSsh(at, alice)
    const stack = (word: string) =>
      `services:\n  web: { image: ${busybox}, command: sleep ${word}, stop_grace_period: 0s }\n`
    const first = at.commit('signed', { 'web/compose.yaml': stack('1000') })
    serving.declare(`
sources:
  infra:
    git: ${at.bare}
    ref: main
    verify: { ssh: [${JSON.stringify(alice.text.trim())}] }
defaults: { interval: 1s }
apps: [{ stack: web, path: web }]
`)
    await serving.start()
    await serving.until('stack:web', ({ state }) => state === 'synced')
    at.git('config', 'commit.gpgsign', 'false')
    at.commit('unsigned', { 'web/compose.yaml': stack('2000') })
    await told(/the commit \w+ is not used: it is not signed/)
    const app = await serving.until('stack:web', ({ synced }) => synced !== undefined)
    assert.equal(app.synced?.revision, first)
    signWithSsh(at, mallory)
    const foreign = at.commit('foreign', { 'web/compose.yaml': stack('3000') })
    const key = /not signed with a key under verify, but with the ED25519 key SHA256:\S+/
    await told(key)
    // the application says it too: why, which key, since when; what runs stays
    const { refused, state, reason } = await serving.until(
      'stack:web',
      ({ refused: one }) => one?.revision === foreign,
    )
    assert.match(refused?.problem.message ?? '', key)
    assert.match(reason, key)
    assert.equal(state, 'synced')
    const { since = 0 } = refused ?? {}
    assert.ok(since > 0 && since <= Date.now())
    await serving.stop()
    await serving.start()
    const again = await serving.until('stack:web', ({ refused: one }) => one !== undefined)
    assert.equal(again.refused?.since, since, 'a restart is no new refusal')
    signWithSsh(at, alice)
    const good = at.commit('signed again', { 'web/compose.yaml': stack('4000') })
    const mended = await serving.until('stack:web', ({ synced }) => synced?.revision === good)
    assert.equal(mended.refused, undefined)
  })

  test('what runs is known and repaired after a restart while Git is away and the newest is refused', async () => {
    const at = bench()
    signWithSsh(at, alice)
    const stack = (word: string) =>
      `services:\n  web: { image: ${busybox}, command: sleep ${word}, stop_grace_period: 0s }\n`
    const good = at.commit('signed', { 'web/compose.yaml': stack('1000') })
    at.git('tag', '-s', '-m', 'one', 'v1')
    at.git('push', '-q', 'origin', 'v1')
    serving.declare(`
sources:
  infra:
    git: ${at.bare}
    ref: v1
    verify: { ssh: [${JSON.stringify(alice.text.trim())}], mode: all }
defaults: { interval: 1s }
apps: [{ stack: away, path: web }]
`)
    await serving.until('stack:away', ({ synced }) => synced?.revision === good)
    at.git('config', 'commit.gpgsign', 'false')
    at.commit('unsigned', { 'web/compose.yaml': stack('2000') })
    at.git('tag', '-f', 'v1')
    at.git('push', '-q', '--force', 'origin', 'v1')
    await told(/the commit \w+ is not used: it is not signed/)
    await serving.stop()
    renameSync(at.bare, `${at.bare}-away`)
    await serving.start()
    await serving.until('stack:away', ({ state, synced }) => {
      return state === 'synced' && synced?.revision === good
    })
    const planned = await serving.tend('diff away')
    assert.equal(planned.code, 0, planned.err)
    const docker = dockerAt({ address: `unix://${engine.socket}` })
    const before = await inspectContainer(docker, 'away-web-1', signal)
    await removeContainer(docker, 'away-web-1', true, signal)
    await waitFor(async () => {
      const now = await inspectContainer(docker, 'away-web-1', signal)
      return now !== undefined && now['Id'] !== before?.['Id']
    })
    docker.close()
  })
})
