/** A rollout that only stumbles succeeds, one that fails for good goes back and is tried again, and what serves goes on serving. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { after, before, test, type TestContext } from 'node:test'
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
import { fate } from '../testbed/kube-stages.ts'
import { controlPlane, kubeTool, requiredKube } from '../testbed/kube-tools.ts'

const skip = requiredKube([...controlPlane, 'flux'])
const deployments = '/apis/apps/v1/namespaces/default/deployments'
let world: FluxWorld

before(async () => {
  if (skip !== false) return
  world = await fluxWorld()
  world.git.commit('first', { 'README.md': '' })
  world.apply(gitRepository('infra', world.url))
  await world.start()
})

after(async () => {
  if (skip === false) await world.stop()
})

function deployment(name: string, image: string, doom = ''): string {
  const annotations = doom === '' ? '' : `, annotations: { ${fate}: ${doom} }`
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: default }
spec:
  replicas: 4
  selector: { matchLabels: { app: ${name} } }
  strategy: { rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } }
  template:
    metadata: { labels: { app: ${name} }${annotations} }
    spec: { containers: [{ name: web, image: '${image}' }] }
`
}

/** The least number of available replicas that kubectl's watch ever shows, until asked. */
function leastAvailable(t: TestContext, name: string): () => number {
  const shown = '{.status.availableReplicas}{" "}'
  const words = ['get', 'deployment', name, '-w', '-o', `jsonpath=${shown}`]
  const child = spawn(kubeTool('kubectl'), ['--kubeconfig', world.kube.kubeconfig, ...words])
  t.after(() => child.kill())
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part))
  return () => {
    assert.notEqual(text, '', 'the watch showed nothing')
    return Math.min(...text.split(' ').slice(0, -1).map(Number))
  }
}

async function rolledOut(name: string, spec: Record<string, unknown> = {}): Promise<string> {
  const commit = world.push(name, { [`${name}/web.yaml`]: deployment(name, 'web:1') })
  world.apply(kustomization(name, { path: `./${name}`, ...spec }))
  await world.until(`${sets}/${name}`, (one) => isReady(one, commit))
  return commit
}

function imageOf(live: Live): string {
  return live.spec.template.spec.containers[0].image
}

/** It fails soon after its second commit; what becomes of that shows a minute later, in the last test. */
test('pods that fail soon after a good rollout', { skip }, async () => {
  await rolledOut('sickens')
  const second = world.push('new', { 'sickens/web.yaml': deployment('sickens', 'web:2') })
  await world.until(`${sets}/sickens`, (one) => isReady(one, second))
  await setPod('sickens', false)
  await world.until(
    `${sets}/sickens`,
    (one) => conditionOf(one, 'Healthy') === 'False HealthCheckFailed',
    20,
  )
})

for (const [doom, what] of [
  ['late', 'a Secret that comes 4 seconds later'],
  ['stumble', '12 seconds of CrashLoopBackOff'],
] as const) {
  test(`${what}: the commit stays and becomes Ready`, { skip }, async (t) => {
    await rolledOut(doom)
    const least = leastAvailable(t, doom)
    const commit = world.push('new', { [`${doom}/web.yaml`]: deployment(doom, 'web:2', doom) })
    let isFailed = false
    await world.until(`${sets}/${doom}`, (one) => {
      isFailed ||= conditionOf(one, 'Ready').startsWith('False')
      return isReady(one, commit)
    })
    assert.equal(isFailed, false, 'it was said to have failed')
    assert.equal(imageOf(await world.get(`${deployments}/${doom}`)), 'web:2')
    assert.ok(least() >= 3, `only ${least()} of 4 were available`)
  })
}

test(
  'an image that never comes is final after a minute, goes back, and is tried again',
  { skip },
  async (t) => {
    const good = await rolledOut('image', { retryInterval: '5s' })
    const least = leastAvailable(t, 'image')
    const began = Date.now()
    const bad = world.push('bad', { 'image/web.yaml': deployment('image', 'web:2', 'pull') })
    const isBack = (one: Live) => conditionOf(one, 'Ready') === 'False HealthCheckFailed'
    const failed = await world.until(`${sets}/image`, isBack, 240)
    const took = Date.now() - began
    assert.ok(took >= 60_000, `final after ${took} ms`)
    assert.ok(took < 180_000, `back after ${took} ms, two minutes after the verdict at the latest`)
    assert.match(failed.status.conditions[0].message, /ErrImagePull: no such image/)
    assert.match(failed.status.conditions[0].message, /rolled back to main@sha1:/)
    assert.equal(conditionOf(failed, 'Reconciling'), 'True ProgressingWithRetry')
    assert.equal(conditionOf(failed, 'Stalled'), '')
    assert.equal(failed.status.lastAppliedRevision, `main@sha1:${good}`)
    assert.equal(failed.status.lastAttemptedRevision, `main@sha1:${bad}`)
    // it went back, so a new image means that the same commit is tried again
    const isNew = (one: Live) => imageOf(one) === 'web:2'
    await world.until(`${deployments}/image`, isNew, 240)
    assert.ok(least() >= 3, `only ${least()} of 4 were available`)
  },
)

test('a newer commit ends the wait for one that does not get well', { skip }, async () => {
  const timeout = '30m'
  await rolledOut('newer', { timeout, prune: true })
  // no kubelet ever says a word of these pods
  const bad = deployment('newer', 'web:2', 'unheard')
  const extra = { 'newer/extra.yaml': configMap('extra', 'x') }
  world.push('bad', { 'newer/web.yaml': bad, ...extra })
  await world.until(`${deployments}/newer`, (one) => imageOf(one) === 'web:2')
  await world.until(`${maps}/extra`, (one) => one !== undefined)
  let isFailed = false
  const mended = world.push('mended', {
    'newer/web.yaml': deployment('newer', 'web:3'),
    'newer/extra.yaml': null,
  })
  const status = await world.until(`${sets}/newer`, (one) => {
    isFailed ||= conditionOf(one, 'Ready').startsWith('False')
    return isReady(one, mended)
  })
  assert.equal(isFailed, false, 'it was said to have failed')
  assert.equal(status.status.lastAttemptedRevision, `main@sha1:${mended}`)
  assert.equal(imageOf(await world.get(`${deployments}/newer`)), 'web:3')
  assert.equal(await world.get(`${maps}/extra`), undefined)
  const told = await world.serving.tend('history kustomization/newer')
  assert.match(told.out, /interrupted[\s\S]*succeeded|succeeded[\s\S]*interrupted/)
  const events = await world.get('/api/v1/namespaces/flux-system/events')
  const reasons = events.items.map((one: Live) => `${one.involvedObject.name} ${one.reason}`)
  assert.ok(reasons.includes('newer HealthCheckCanceled'), reasons.join('\n'))
})

test('pods that fail long after the sync are said at once, by health alone', { skip }, async () => {
  const commit = await rolledOut('after')
  const healthy = (one: Live): string => conditionOf(one, 'Healthy')
  await world.until(`${sets}/after`, (one) => healthy(one) === 'True Succeeded')
  await setPod('after', false)
  const sick = await world.until(
    `${sets}/after`,
    (one) => healthy(one) === 'False HealthCheckFailed',
    20,
  )
  assert.ok(isReady(sick, commit), 'what runs is what was declared')
  const told = await world.serving.until(
    'kustomization:flux-system/after',
    ({ health }) => health.state === 'failed',
  )
  assert.equal(told.sync.state, 'synced')
  assert.match(told.health.reason, /container web: CrashLoopBackOff/)
  assert.equal(told.health.restartCount, 4)
  await setPod('after', true)
  await world.until(`${sets}/after`, (one) => healthy(one) === 'True Succeeded', 20)
})

/** The status of one of its pods, as a kubelet would write it. */
async function setPod(app: string, ready: boolean): Promise<void> {
  const path = '/api/v1/namespaces/default/pods'
  const { body } = await world.kube.ask('GET', `${path}?labelSelector=app%3D${app}`)
  const all: Live = body
  const pod = all.items.toSorted((one: Live, other: Live) =>
    one.metadata.name < other.metadata.name ? -1 : 1,
  )[0]
  for (const condition of pod.status.conditions) {
    if (condition.type.endsWith('Ready')) condition.status = ready ? 'True' : 'False'
  }
  for (const one of pod.status.containerStatuses) {
    one.ready = ready
    one.restartCount = ready ? 0 : 4
    one.state = ready ? { running: {} } : { waiting: { reason: 'CrashLoopBackOff' } }
  }
  const changed = { apiVersion: 'v1', kind: 'Pod', ...pod }
  const answer = await world.kube.ask('PUT', `${path}/${pod.metadata.name}/status`, changed)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}

test('a commit that was never tried is not named as attempted', { skip }, async () => {
  await rolledOut('tried')
  const tried = world.push('new', { 'tried/web.yaml': deployment('tried', 'web:2') })
  await world.until(`${sets}/tried`, (one) => isReady(one, tried))
  const told = await world.serving.tend('rollback kustomization/tried')
  assert.equal(told.code, 0, told.err + told.out)
  // gone back by hand, it waits for another revision of its own files
  const other = world.push('elsewhere', { 'elsewhere/a.yaml': configMap('elsewhere', 'x') })
  await world.until(`${gits}/infra`, (one) => one.status.artifact.revision.endsWith(other))
  // statuses are written after a source was asked: another set shows that they are
  await world.until(`${sets}/late`, (one) => isReady(one, other))
  const { status } = await world.get(`${sets}/tried`)
  assert.equal(status.lastAttemptedRevision, `main@sha1:${tried}`)
})

test(
  'what does not get well on probation goes back, and is not tried again',
  { skip },
  async () => {
    const isBack = (one: Live) => conditionOf(one, 'Ready') === 'False HealthCheckFailed'
    const back = await world.until(`${sets}/sickens`, isBack, 120)
    assert.match(back.status.conditions[0].message, /went back to run 1, since it was not well/)
    assert.match(back.status.conditions[0].message, /CrashLoopBackOff/)
    assert.equal(conditionOf(back, 'Stalled'), 'True RolledBack')
    await world.until(`${deployments}/sickens`, (one) => imageOf(one) === 'web:1')
    await world.until(`${sets}/sickens`, (one) => conditionOf(one, 'Healthy') === 'True Succeeded')
  },
)
