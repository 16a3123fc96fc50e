/** Beside Flux's other controllers: source-controller's artifacts are read, its objects left alone, and events sent on. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  startArtifacts,
  type Announced,
  type ArtifactStandIn,
} from '../testbed/artifact-stand-in.ts'
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
  type FluxWorld,
  type Live,
} from '../testbed/flux-world.ts'
import { gitBench } from '../testbed/git.ts'
import { startGitHttp } from '../testbed/git-http.ts'
import { controlPlane, requiredKube } from '../testbed/kube-tools.ts'
import { waitFor } from '../testbed/serving.ts'
import { webStandIn, type WebStandIn } from '../testbed/web-stand-in.ts'

const skip = requiredKube([...controlPlane])
let world: FluxWorld
let artifacts: ArtifactStandIn
let events: WebStandIn
let commit = ''

before(async () => {
  if (skip !== false) return
  events = await webStandIn()
  artifacts = await startArtifacts()
  world = await fluxWorld({
    environment: {
      TEND_FLUX_EVENTS: `${events.url}/`,
      TEND_REMOTE_BASES: '127.0.0.1',
      SOURCE_CONTROLLER_LOCALHOST: artifacts.host,
    },
  })
  commit = world.git.commit('first', {
    'app/a.yaml': configMap('a', 'from-git'),
    'app/picture.png': 'not for clusters',
  })
})

after(async () => {
  if (skip !== false) return
  await world.stop()
  await artifacts.stop()
  await events.close()
})

function lease(name: string, holder: string): unknown {
  const renewTime = new Date().toISOString().replace('Z', '000Z')
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: `${name}-leader-election`, namespace: 'flux-system' },
    spec: { holderIdentity: holder, leaseDurationSeconds: 35, renewTime },
  }
}

/** Renews a lease as one of Flux's controllers does, until the function is called. */
function atWork(controller: string): () => Promise<void> {
  let isAtWork = true
  world.apply(lease(controller, `${controller}-abc`))
  const working = (async () => {
    for (; isAtWork; await sleep(1_000)) world.apply(lease(controller, `${controller}-abc`))
    world.apply(lease(controller, ''))
  })()
  return async () => {
    isAtWork = false
    await working
  }
}

function announce(kind: string, name: string, artifact: Announced): void {
  const status = { conditions: [], artifact }
  const patch = ['--subresource=status', '--type=merge', '-p', JSON.stringify({ status })]
  world.kube.kubectl(['patch', kind, '-n', 'flux-system', name, ...patch])
}

const isFailed = (one: Live) => conditionOf(one, 'Ready') === 'False ArtifactFailed'
const messageOf = (one: Live): string => one.status.conditions[0].message

test('the artifact of source-controller is what is applied', { skip }, async () => {
  const end = atWork('source-controller')
  try {
    world.apply(gitRepository('infra', world.url), kustomization('apps', { path: './app' }))
    await world.start()
    const waiting = await world.until(`${sets}/apps`, isFailed)
    assert.match(messageOf(waiting), /Source artifact not found: .* has no artifact yet/)
    const files = { 'app/a.yaml': configMap('a', 'from-artifact') }
    const right = artifacts.announce(`main@sha1:${commit}`, files)
    announce('gitrepository', 'infra', { ...right, digest: `sha256:${'0'.repeat(64)}` })
    const another = /what http.* gave is not what was announced as sha256:0000/
    await world.until(`${sets}/apps`, (one) => isFailed(one) && another.test(messageOf(one)))
    announce('gitrepository', 'infra', right)
    await world.until(`${sets}/apps`, (one) => isReady(one, commit))
    assert.deepEqual((await world.get(`${maps}/a`)).data, { key: 'from-artifact' })

    // the same commit under other rules of what is ignored is another artifact
    const more = { ...files, 'app/b.yaml': configMap('b', 'from-artifact') }
    announce('gitrepository', 'infra', artifacts.announce(`main@sha1:${commit}`, more))
    await world.until(`${maps}/b`, (one) => one !== undefined)
    const { status: theirs, metadata } = await world.get(`${gits}/infra`)
    assert.deepEqual(theirs.conditions, [])
    assert.equal(JSON.stringify(metadata.managedFields).includes('gotk-source-controller'), false)

    await otherSources()
  } finally {
    await end()
  }
  // when it is gone, somebody has to say how the source is
  await world.until(`${gits}/infra`, (one) => conditionOf(one, 'Ready') === 'True Succeeded')
  await world.until(`${maps}/a`, (one) => one?.data.key === 'from-git')
})

const others = [
  ['OCIRepository', 'ocirepositories', `latest@sha256:${'b'.repeat(64)}`],
  ['Bucket', 'buckets', `sha256:${'c'.repeat(64)}`],
  ['ExternalArtifact', 'externalartifacts', `sha256:${'d'.repeat(64)}`],
] as const

async function otherSources(): Promise<void> {
  for (const [kind, plural] of others) {
    const sourceRef = { kind, name: plural }
    world.apply(definition(kind, plural), kustomization(plural, { path: './', sourceRef }))
  }
  for (const [kind, plural] of others) {
    const lacking = await world.until(`${sets}/${plural}`, isFailed)
    assert.ok(messageOf(lacking).includes(`${kind}.source.toolkit.fluxcd.io "${plural}" not found`))
  }
  world.kube.kubectl(['wait', '--for=condition=Established', 'crd', '--all'])
  for (const [kind, plural, revision] of others) {
    world.apply({
      apiVersion: 'source.toolkit.fluxcd.io/v1',
      kind,
      metadata: { name: plural, namespace: 'flux-system' },
      spec: { interval: '1m' },
    })
    const files = { 'c.yaml': configMap(plural, kind) }
    announce(plural, plural, artifacts.announce(revision, files))
  }
  for (const [kind, plural, revision] of others) {
    const set = await world.until(`${sets}/${plural}`, (one) => isReady(one))
    assert.equal(set.status.lastAppliedRevision, revision)
    assert.deepEqual((await world.get(`${maps}/${plural}`)).data, { key: kind })
  }
}

function definition(kind: string, plural: string): unknown {
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: open, status: open } } }
  const version = { name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }
  const group = 'source.toolkit.fluxcd.io'
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, plural, singular: kind.toLowerCase() },
      scope: 'Namespaced',
      versions: [version],
    },
  }
}

test('without source-controller Tend serves what it publishes', { skip }, async () => {
  const { artifact } = (await world.get(`${gits}/infra`)).status
  assert.equal(artifact.revision, `main@sha1:${commit}`)
  const answer = await fetch(artifact.url)
  assert.equal(answer.status, 200)
  const bytes = Buffer.from(await answer.arrayBuffer())
  assert.equal(artifact.digest, `sha256:${createHash('sha256').update(bytes).digest('hex')}`)
  assert.equal(artifact.size, bytes.length)
  const listed = execFileSync('tar', ['-tzf', '-'], { input: bytes, encoding: 'utf8' })
  assert.deepEqual(listed.trim().split('\n'), ['app/', 'app/a.yaml'])
  const text = execFileSync('tar', ['-xzOf', '-', 'app/a.yaml'], { input: bytes, encoding: 'utf8' })
  assert.equal(text, configMap('a', 'from-git'))
  const guessed = artifact.url.replace(/artifacts\/\w+/, `artifacts/${'0'.repeat(32)}`)
  assert.equal((await fetch(guessed)).status, 404)

  const next = world.push('next', { 'app/a.yaml': configMap('a', 'next') })
  const isNext = (one: Live) => one.status.artifact.revision === `main@sha1:${next}`
  const now = (await world.until(`${gits}/infra`, isNext)).status.artifact
  assert.notEqual(now.digest, artifact.digest)
  // whoever read the status a moment ago is still served
  for (const { url } of [now, artifact]) assert.equal((await fetch(url)).status, 200)
})

test('events reach the notification controller as Flux sends them', { skip }, async () => {
  const told = () => events.seen.map(({ body }): Live => JSON.parse(body))
  const broken = world.push('broken', { 'app/a.yaml': 'kind: ConfigMap\nmetadata: [\n' })
  await waitFor(() => told().some(({ reason }) => reason === 'BuildFailed'))
  const failed = told().find(({ reason }) => reason === 'BuildFailed')
  const { uid, resourceVersion } = failed.involvedObject
  assert.ok(uid !== '' && resourceVersion !== '')
  assert.deepEqual(
    { ...failed, involvedObject: { ...failed.involvedObject, uid: '', resourceVersion: '' } },
    {
      involvedObject: {
        kind: 'Kustomization',
        namespace: 'flux-system',
        name: 'apps',
        uid: '',
        apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
        resourceVersion: '',
      },
      severity: 'error',
      timestamp: failed.timestamp,
      message: failed.message,
      reason: 'BuildFailed',
      metadata: { 'kustomize.toolkit.fluxcd.io/revision': `main@sha1:${broken}` },
      reportingController: 'kustomize-controller',
      reportingInstance: failed.reportingInstance,
    },
  )
  const fixed = world.push('fixed', { 'app/a.yaml': configMap('a', 'fixed') })
  const isTold = (one: Live) =>
    one.reason === 'ReconciliationSucceeded' &&
    one.metadata['kustomize.toolkit.fluxcd.io/revision'] === `main@sha1:${fixed}` &&
    one.metadata['kustomize.toolkit.fluxcd.io/commit_status'] === 'update'
  await waitFor(() => told().some(isTold))
  const change = told().findLast(({ reason }) => reason === 'Progressing')
  assert.equal(change.message, 'ConfigMap/default/a configured')
  const source = told().findLast(({ reason }) => reason === 'NewArtifact')
  assert.equal(source.involvedObject.kind, 'GitRepository')
  assert.equal(source.metadata['source.toolkit.fluxcd.io/revision'], `main@sha1:${fixed}`)
})

test('a base on another machine is pinned by commit, and followed', { skip }, async (t) => {
  const far = gitBench()
  const server = await startGitHttp({ folder: far.folder })
  t.after(async () => {
    await server.stop()
    far.remove()
  })
  const first = far.commit('first', {
    'base/kustomization.yaml': 'resources: [far.yaml]\n',
    'base/far.yaml': configMap('far', 'one'),
  })
  const url = `${server.origin}/infra.git//base?ref=main`
  world.push('near', {
    'near/kustomization.yaml': `resources: ['${url}']\nnamePrefix: near-\n`,
    'elsewhere/kustomization.yaml': 'resources:\n- https://git.example.org/a/b//c?ref=v1\n',
  })
  world.apply(
    kustomization('near', { path: './near', interval: '5s' }),
    kustomization('elsewhere', { path: './elsewhere' }),
  )
  const near = await world.until(`${sets}/near`, (one) => isReady(one))
  assert.deepEqual(near.status.remoteBases, [{ url, commit: first }])
  assert.deepEqual((await world.get(`${maps}/near-far`)).data, { key: 'one' })
  const refused = await world.until(
    `${sets}/elsewhere`,
    (one) => conditionOf(one, 'Ready') === 'False BuildFailed',
  )
  assert.match(messageOf(refused), /^elsewhere\/kustomization\.yaml:2:1: .*TEND_REMOTE_BASES/)
  const second = far.commit('second', { 'base/far.yaml': configMap('far', 'two') })
  await world.until(`${maps}/near-far`, (one) => one.data.key === 'two')
  const isMoved = (one: Live) => one.status.remoteBases[0].commit === second
  await world.until(`${sets}/near`, isMoved)
  // after a start it is built from the commit that it is pinned to, also while its machine is away
  server.answer(503)
  await world.serving.stop()
  await world.start()
  await world.until(`${sets}/near`, (one) => isReady(one))
  const next = world.push('next', {
    'near/kustomization.yaml': `resources: ['${url}']\nnamePrefix: next-\n`,
  })
  await world.until(`${sets}/near`, (one) => isReady(one, next))
  assert.deepEqual((await world.get(`${maps}/next-far`)).data, { key: 'two' })
})
