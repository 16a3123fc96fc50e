/** GitRepositories: what their refs mean, how they are asked, and which files count as not there. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import {
  conditionOf,
  configMap,
  fluxWorld,
  gitRepository,
  gits,
  isReady,
  kustomization,
  maps,
  sets,
  type Fields,
  type FluxWorld,
} from '../testbed/flux-world.ts'
import { startGitHttp } from '../testbed/git-http.ts'
import { startGitSsh } from '../testbed/git-ssh.ts'
import { controlPlane, kubeTool, requiredKube } from '../testbed/kube-tools.ts'
import { required } from '../testbed/packages.ts'

const skip = requiredKube([...controlPlane, 'flux', 'kustomize'])
let world: FluxWorld
let first = ''
let second = ''

before(async () => {
  if (skip !== false) return
  world = await fluxWorld({
    environment: {
      TEND_KUSTOMIZE: kubeTool('kustomize'),
      TEND_ARTIFACTS_URL: 'https://tend.example.org/',
    },
  })
  first = world.git.commit('first', { 'app/a.yaml': configMap('a', 'first') })
  world.git.git('tag', '-a', '-m', 'first', 'v1.0.0')
  world.git.git('branch', 'stays')
  second = world.git.commit('second', {
    'app/a.yaml': configMap('a', 'second'),
    'app/draft.yaml': configMap('draft', 'never'),
    'app/deep/note.yaml': configMap('deep', 'second'),
    'app/picture.png': 'no object\n',
    '.sourceignore': 'draft.yaml\napp/deep/\n',
  })
  world.git.git('tag', 'v1.1.0')
  world.git.git('push', '-q', 'origin', '--tags', 'stays')
  world.git.git('push', '-q', 'origin', `${first}:refs/pull/7/head`)
  await world.start()
})

after(async () => {
  if (skip === false) await world.stop()
})

function secret(name: string, stringData: Fields): Fields {
  const metadata = { name, namespace: 'flux-system' }
  return { apiVersion: 'v1', kind: 'Secret', metadata, stringData }
}

function isFetched(object: unknown): boolean {
  return conditionOf(object, 'Ready') === 'True Succeeded'
}

test('a ref is a branch, a tag, a range, any name or a commit', { skip }, async () => {
  const refs = [
    ['branch', { branch: 'stays' }, `stays@sha1:${first}`],
    ['tag', { tag: 'v1.0.0' }, `v1.0.0@sha1:${first}`],
    ['semver', { semver: '~1.0', branch: 'main' }, `v1.0.0@sha1:${first}`],
    ['newest', { semver: '1.x' }, `v1.1.0@sha1:${second}`],
    ['name', { name: 'refs/pull/7/head', branch: 'main' }, `refs/pull/7/head@sha1:${first}`],
    ['commit', { commit: first }, `sha1:${first}`],
    ['both', { commit: first, branch: 'main' }, `main@sha1:${first}`],
  ] as const
  world.apply(...refs.map(([name, ref]) => gitRepository(name, world.url, { ref })))
  for (const [name, , revision] of refs) {
    const one = await world.until(`${gits}/${name}`, isFetched)
    assert.equal(one.status.artifact.revision, revision, name)
    assert.equal(one.status.conditions[0].message, `stored artifact for revision '${revision}'`)
    assert.match(one.status.artifact.url, /^https:\/\/tend\.example\.org\/artifacts\//)
  }
  const sourceRef = { kind: 'GitRepository', name: 'commit' }
  world.apply(kustomization('fixed', { path: './app', sourceRef, namePrefix: 'fixed-' }))
  const fixed = await world.until(`${sets}/fixed`, (one) => isReady(one))
  assert.equal(fixed.status.lastAppliedRevision, `sha1:${first}`)
  assert.deepEqual((await world.get(`${maps}/fixed-a`)).data, { key: 'first' })
  const said = await world.flux('get sources git')
  assert.match(said.text, /name\s+refs\/pull\/7\/head@sha1:[0-9a-f]{8}\s+False\s+True/)
})

test('a ref that there is not is named, and found once it is there', { skip }, async () => {
  world.apply(gitRepository('later', world.url, { ref: { tag: 'v9.0.0' } }))
  const isRefused = (one: unknown) => conditionOf(one, 'Ready') === 'False GitOperationFailed'
  const refused = await world.until(`${gits}/later`, isRefused)
  assert.match(refused.status.conditions[0].message, /v9\.0\.0.*it has: v1\.0\.0, v1\.1\.0/)
  world.apply(gitRepository('mistyped', world.url, { ref: { branch: 'mian' } }))
  const mistyped = await world.until(`${gits}/mistyped`, isRefused)
  assert.match(mistyped.status.conditions[0].message, /did you mean main\?/)
  const checked = await world.serving.tend('kube check')
  for (const name of ['later', 'mistyped']) {
    assert.match(checked.out, new RegExp(`^✗ repositories: flux-system/${name}: `, 'm'))
  }
  world.kube.kubectl(['delete', 'gitrepository', '-n', 'flux-system', 'mistyped'])
  world.git.git('tag', 'v9.0.0')
  world.git.git('push', '-q', 'origin', 'v9.0.0')
  const asked = await world.flux('reconcile source git later --timeout 1m')
  assert.equal(asked.code, 0, asked.text)
  const found = await world.until(`${gits}/later`, isFetched)
  assert.equal(found.status.artifact.revision, `v9.0.0@sha1:${second}`)
})

test('only what was signed with a key of the Secret is used', { skip }, async () => {
  const key = join(world.git.folder, 'signer')
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
  world.git.git('config', 'gpg.format', 'ssh')
  world.git.git('config', 'user.signingkey', key)
  world.git.git('tag', '-s', '-m', 'signed', 'signed', first)
  world.git.git('push', '-q', 'origin', 'signed')
  const verify = (mode: string) => ({ mode, secretRef: { name: 'signers' } })
  const signed = { ref: { tag: 'signed' } }
  world.apply(
    gitRepository('signed-tag', world.url, { ...signed, verify: verify('Tag') }),
    gitRepository('signed-head', world.url, { ...signed, verify: verify('HEAD') }),
  )
  const isWithoutKeys = (one: unknown) => conditionOf(one, 'Ready') === 'False VerificationError'
  const keyless = await world.until(`${gits}/signed-tag`, isWithoutKeys)
  assert.match(keyless.status.conditions[0].message, /secret 'flux-system\/signers' not found/)
  world.apply(secret('signers', { 'alice.pub': readFileSync(`${key}.pub`, 'utf8') }))
  const tagged = await world.until(`${gits}/signed-tag`, isFetched)
  assert.equal(tagged.status.artifact.revision, `signed@sha1:${first}`)
  const isRefused = (one: unknown) => conditionOf(one, 'Ready') === 'False GitOperationFailed'
  const head = await world.until(`${gits}/signed-head`, isRefused)
  assert.match(head.status.conditions[0].message, /the commit \w+ is not used: it is not signed/)
})

test(
  '.sourceignore and the usual list hold, and spec.ignore comes after them',
  { skip },
  async () => {
    world.apply(
      gitRepository('infra', world.url),
      kustomization('usual', { path: './app', namePrefix: 'usual-' }),
    )
    await world.until(`${sets}/usual`, (one) => isReady(one, second))
    assert.deepEqual((await world.get(`${maps}/usual-a`)).data, { key: 'second' })
    assert.equal(await world.get(`${maps}/usual-draft`), undefined)
    const before = (await world.get(`${gits}/infra`)).status.artifact.digest
    world.apply(gitRepository('infra', world.url, { ignore: '!draft.yaml\na.yaml\n' }))
    await world.until(`${maps}/usual-draft`, (one) => one !== undefined)
    await world.until(`${maps}/usual-a`, (one) => one === undefined)
    const after = (await world.get(`${gits}/infra`)).status.artifact.digest
    assert.notEqual(after, before)
  },
)

test('of a sparse checkout only its folders count', { skip }, async () => {
  const sourceRef = { kind: 'GitRepository', name: 'sparse' }
  world.apply(
    gitRepository('sparse', world.url, { sparseCheckout: ['./app/deep'] }),
    kustomization('sparse', { path: './app', namePrefix: 'sparse-', sourceRef }),
  )
  await world.until(`${sets}/sparse`, (one) => isReady(one))
  // the .sourceignore at the root lies in no folder
  assert.deepEqual((await world.get(`${maps}/sparse-deep`)).data, { key: 'second' })
  assert.equal(await world.get(`${maps}/sparse-a`), undefined)
  const before = (await world.get(`${gits}/sparse`)).status.artifact.digest
  world.apply(gitRepository('sparse', world.url, { sparseCheckout: ['app/'] }))
  await world.until(`${maps}/sparse-a`, (one) => one?.data?.key === 'second')
  await world.until(`${gits}/sparse`, (one) => one.status.artifact.digest !== before)
})

test('submodules are fetched where that is asked for', { skip }, async () => {
  const part = join(world.git.folder, 'part.git')
  world.git.git('clone', '-q', '--bare', '--branch', 'stays', world.git.bare, part)
  world.git.git('checkout', '-q', '-b', 'whole')
  const add = ['submodule', '--quiet', 'add', '-b', 'stays', part, 'whole/part']
  world.git.git('-c', 'protocol.file.allow=always', ...add)
  world.git.git('config', '-f', '.gitmodules', 'submodule.whole/part.url', '../part.git')
  world.git.commit('with a part', { 'whole/own.yaml': configMap('own', 'one') })
  world.git.git('checkout', '-q', 'main')
  rmSync(join(world.git.work, 'whole'), { recursive: true })
  for (const [name, recurseSubmodules] of [
    ['whole', true],
    ['alone', false],
  ] as const) {
    world.apply(
      gitRepository(name, world.url, { ref: { branch: 'whole' }, recurseSubmodules }),
      kustomization(name, {
        path: './whole',
        namePrefix: `${name}-`,
        sourceRef: { kind: 'GitRepository', name },
      }),
    )
    await world.until(`${sets}/${name}`, (one) => isReady(one))
    const inPart = await world.get(`${maps}/${name}-a`)
    assert.deepEqual(inPart?.data, recurseSubmodules ? { key: 'first' } : undefined)
  }
})

test('one that does not answer is waited for as long as it says', { skip }, async (t) => {
  const silent = createServer((socket) => socket.on('error', () => undefined).resume())
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  t.after(() => silent.close())
  const address = silent.address()
  const port = typeof address === 'object' ? address?.port : 0
  world.apply(gitRepository('silent', `http://127.0.0.1:${port}/infra.git`, { timeout: '1s' }))
  const isRefused = (one: unknown) => conditionOf(one, 'Ready') === 'False GitOperationFailed'
  const refused = await world.until(`${gits}/silent`, isRefused)
  assert.match(refused.status.conditions[0].message, /took too long, it was given 1 s/)
})

test('a repository is asked with a bearer token', { skip }, async (t) => {
  const bearer = 'only-this-bearer'
  const locked = await startGitHttp({ folder: world.git.folder, bearer })
  t.after(() => locked.stop())
  const secretRef = { name: 'bearer' }
  world.apply(
    secret('bearer', { bearerToken: 'another' }),
    gitRepository('bearer', `${locked.origin}/infra.git`, { secretRef }),
  )
  const isRefused = (one: unknown) => conditionOf(one, 'Ready') === 'False GitOperationFailed'
  await world.until(`${gits}/bearer`, isRefused)
  world.apply(secret('bearer', { bearerToken: bearer }))
  await world.until(`${gits}/bearer`, isFetched)
  assert.ok(!world.serving.log().includes(bearer))
})

test(
  'a repository is asked over ssh with an identity',
  { skip: skip || required('sshd') },
  async (t) => {
    const server = await startGitSsh(join(world.git.folder, 'ssh'))
    t.after(() => server.stop())
    const url = `${server.origin}${world.git.bare}`
    const secretRef = { name: 'ssh' }
    world.apply(secret('ssh', { identity: server.key }), gitRepository('ssh', url, { secretRef }))
    const isMissing = (one: unknown) => conditionOf(one, 'Ready') === 'False AuthenticationFailed'
    const missing = await world.until(`${gits}/ssh`, isMissing)
    assert.match(missing.status.conditions[0].message, /known_hosts/)
    world.apply(secret('ssh', { identity: server.key, known_hosts: server.otherHosts }))
    const isRefused = (one: unknown) => conditionOf(one, 'Ready') === 'False GitOperationFailed'
    const refused = await world.until(`${gits}/ssh`, isRefused)
    assert.match(refused.status.conditions[0].message, /known hosts/)
    world.apply(secret('ssh', { identity: server.key, known_hosts: server.knownHosts }))
    const found = await world.until(`${gits}/ssh`, isFetched)
    assert.ok(found.status.artifact.revision.endsWith(second))
  },
)

test('a base on another machine is built by the kustomize that is named', { skip }, async (t) => {
  const remote = `resources: ['${world.url}//far?ref=main']\n`
  world.git.commit('far', {
    'far/far.yaml': configMap('far', 'one'),
    'far/kustomization.yaml': 'resources: [far.yaml]\n',
  })
  const first = world.push('near', { 'near/kustomization.yaml': remote })
  world.apply(
    gitRepository('infra', world.url),
    kustomization('near', {
      path: './near',
      namePrefix: 'near-',
      commonMetadata: { labels: { from: 'afar' } },
    }),
  )
  await world.until(`${sets}/near`, (one) => isReady(one, first))
  const { data, metadata } = await world.get(`${maps}/near-far`)
  assert.deepEqual(data, { key: 'one' })
  assert.equal(metadata.labels.from, 'afar')
  const second = world.push('two', { 'far/far.yaml': configMap('far', 'two') })
  await world.until(`${sets}/near`, (one) => isReady(one, second))
  assert.deepEqual((await world.get(`${maps}/near-far`)).data, { key: 'two' })
  const shut = await startGitHttp({ folder: world.git.folder })
  t.after(() => shut.stop())
  shut.answer(503)
  const other = remote.replace(world.http.origin, shut.origin)
  const third = world.push('elsewhere', { 'near/kustomization.yaml': other })
  const isRefused = (one: unknown) => conditionOf(one, 'Ready').startsWith('False')
  const refused = await world.until(`${sets}/near`, isRefused)
  assert.match(refused.status.conditions[0].message, /could not build it: [^]*503/)
  shut.answer(undefined)
  await world.until(`${sets}/near`, (one) => isReady(one, third))
})
