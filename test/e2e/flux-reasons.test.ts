/** Conditions and events in Flux's words: what waits, what is suspended, what can't be built, fetched or pruned. */
import assert from 'node:assert/strict'
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
  type Live,
} from '../testbed/flux-world.ts'
import { startGitHttp, type GitHttp } from '../testbed/git-http.ts'
import { controlPlane, requiredKube } from '../testbed/kube-tools.ts'
import { waitFor } from '../testbed/serving.ts'

const skip = requiredKube([...controlPlane])
let world: FluxWorld
let other: GitHttp

before(async () => {
  if (skip !== false) return
  world = await fluxWorld()
  other = await startGitHttp({ folder: world.git.folder })
  world.git.commit('first', { 'app/a.yaml': configMap('a', 'one') })
  world.apply(
    gitRepository('infra', world.url),
    gitRepository('other', `${other.origin}/infra.git`, { interval: '1h' }),
    kustomization('apps', { path: './app' }),
  )
  await world.start()
  await world.until(`${sets}/apps`, (one) => isReady(one))
})

after(async () => {
  if (skip !== false) return
  await world.stop()
  await other.stop()
})

async function warningsOf(name: string): Promise<readonly string[]> {
  const { items } = await world.get('/api/v1/namespaces/flux-system/events')
  return items
    .filter((one: Live) => one.involvedObject.name === name && one.type === 'Warning')
    .map((one: Live) => `${one.reason}: ${one.message}`)
}

test(
  'a claim that is bound by its first pod is Ready alone, unless wait is asked for',
  { skip },
  async () => {
    world.apply({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'later' },
      provisioner: 'example.com/none',
      volumeBindingMode: 'WaitForFirstConsumer',
    })
    const claim = (name: string) => `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: ${name}, namespace: default }
spec: { accessModes: [ReadWriteOnce], storageClassName: later, resources: { requests: { storage: 1Gi } } }
`
    const commit = world.push('claims', {
      'claim/a.yaml': claim('claim'),
      'bound/a.yaml': claim('bound'),
    })
    world.apply(
      kustomization('claim', { path: './claim' }),
      kustomization('bound', { path: './bound', wait: true, timeout: '2s' }),
    )
    await world.until(`${sets}/claim`, (one) => isReady(one, commit))
    const isLate = (one: Live) => conditionOf(one, 'Ready') === 'False HealthCheckFailed'
    await world.until(`${sets}/bound`, isLate)
  },
)

test('a suspended set is not warned of, and one without its source is', { skip }, async () => {
  const sourceRef = { kind: 'GitRepository', name: 'nobody' }
  world.apply(
    kustomization('asleep', { sourceRef, suspend: true }),
    kustomization('awake', { sourceRef }),
  )
  const failed = await world.until(
    `${sets}/awake`,
    (one) => conditionOf(one, 'Ready') === 'False ArtifactFailed',
  )
  assert.equal(failed.status.observedGeneration, failed.metadata.generation)
  assert.equal(conditionOf(failed, 'Reconciling'), 'True ProgressingWithRetry')
  await waitFor(async () => (await warningsOf('awake')).length > 0)
  assert.deepEqual(await warningsOf('asleep'), [])
})

test(
  'what can not be built is tried again, in the word that Flux has for it',
  { skip },
  async () => {
    world.push('broken', {
      'broken/a.yaml': configMap('broken', 'x'),
      'broken/kustomization.yaml': 'resources: [b.yaml]\n',
    })
    world.apply(kustomization('broken', { path: './broken' }))
    const failed = await world.until(
      `${sets}/broken`,
      (one) => conditionOf(one, 'Ready') === 'False BuildFailed',
    )
    assert.equal(conditionOf(failed, 'Reconciling'), 'True ProgressingWithRetry')
    assert.equal(conditionOf(failed, 'Stalled'), '')
    // a commit that breaks nothing new of it was tried all the same
    const next = world.push('elsewhere', { 'elsewhere/a.yaml': configMap('elsewhere', 'x') })
    await world.until(`${sets}/broken`, (one) => one.status.lastAttemptedRevision.endsWith(next))
  },
)

test('what can not be removed is PruneFailed, and goes when it can', { skip }, async () => {
  const files = {
    'prune/a.yaml': configMap('prune-a', 'x'),
    'prune/b.yaml': configMap('prune-b', 'x'),
  }
  const commit = world.push('prune', files)
  world.apply(kustomization('prune', { path: './prune', retryInterval: '2s' }))
  await world.until(`${sets}/prune`, (one) => isReady(one, commit))
  world.apply(...noDeletionOf('prune-b'))
  await waitFor(
    async () => (await world.kube.ask('DELETE', `${maps}/prune-b?dryRun=All`)).status >= 400,
  )
  const less = world.push('less', { 'prune/b.yaml': null })
  const failed = await world.until(
    `${sets}/prune`,
    (one) => conditionOf(one, 'Ready') === 'False PruneFailed',
  )
  assert.match(failed.status.conditions[0].message, /not now/)
  assert.equal(conditionOf(failed, 'Reconciling'), 'True ProgressingWithRetry')
  world.kube.kubectl(['delete', 'validatingadmissionpolicybinding', 'no-deletion'])
  await world.until(`${sets}/prune`, (one) => isReady(one, less))
  assert.equal(await world.get(`${maps}/prune-b`), undefined)
})

test('an object that changes asks its own repository alone', { skip }, async () => {
  await world.until(`${gits}/other`, (one) => isReadySource(one))
  const before = other.asked.length
  const commit = world.git.commit('asked', { 'app/a.yaml': configMap('a', 'asked') })
  world.apply(kustomization('apps', { path: './app', timeout: '4m' }))
  await world.until(`${sets}/apps`, (one) => isReady(one, commit))
  assert.deepEqual(other.asked.slice(before), [])
})

for (const [interval, seconds] of [
  ['3s', 3],
  [undefined, 15],
] as const) {
  test(`a push is seen untold, with an interval of ${interval ?? 'none'}`, { skip }, async (t) => {
    const name = `every-${seconds}`
    const repository = gitRepository(name, `${other.origin}/infra.git`)
    world.apply({ ...repository, spec: { ...Object(repository['spec']), interval } })
    await world.until(`${gits}/${name}`, (one) => isReadySource(one))
    const began = Date.now()
    const commit = world.git.commit(name, { 'README.md': name })
    await world.until(`${gits}/${name}`, (one) => one.status.artifact.revision.endsWith(commit))
    const took = Date.now() - began
    t.diagnostic(`seen after ${took} ms`)
    assert.ok(took <= (seconds + 5) * 1000, `seen after ${took} ms`)
  })
}

function isReadySource(one: Live): boolean {
  return conditionOf(one, 'Ready') === 'True Succeeded'
}

function noDeletionOf(name: string): readonly Fields[] {
  const apiVersion = 'admissionregistration.k8s.io/v1'
  const metadata = { name: 'no-deletion' }
  const rule = { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }
  const resourceRules = [{ ...rule, operations: ['DELETE'], resourceNames: [name] }]
  const validations = [{ expression: 'false', message: 'not now' }]
  return [
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      metadata,
      spec: { matchConstraints: { resourceRules }, validations },
    },
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata,
      spec: { policyName: 'no-deletion', validationActions: ['Deny'] },
    },
  ]
}
