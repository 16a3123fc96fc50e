/** What is not well is told in seconds with its last words, by watching; and a set that does not become well goes back. */
import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import type { ApplyOptions } from '#domains/kustomizations/apply-options.ts'
import { driveKube } from '../testbed/kube-drive.ts'
import { fate } from '../testbed/kube-stages.ts'
import { configMap, definitionText, deploymentText } from '../testbed/kube-texts.ts'
import { requiredKube } from '../testbed/kube-tools.ts'
import { startKube, type TestKube } from '../testbed/kube.ts'

const skip = requiredKube()
let kube: TestKube

before(async () => {
  if (skip !== false) return
  kube = await startKube()
  await kube.addNodes(1)
  kube.kubectl(['apply', '-f', '-'], definitionText('jobs2', 'Task'))
})

after(async () => {
  if (skip === false) await kube.stop()
})

function driver(t: TestContext, name: string, options: ApplyOptions = {}) {
  const made = driveKube(kube, name, options)
  t.after(() => made.close())
  return made
}

type Fields = Record<string, unknown>

function metadata(object: Fields | undefined): Fields {
  return (object ?? {})['metadata'] as Fields
}

async function get(path: string): Promise<Fields | undefined> {
  const { status, body } = await kube.ask('GET', path)
  return status === 404 ? undefined : (body as Fields)
}

const doomed = (name: string, doom: string) =>
  deploymentText(name, 'web:2', `, annotations: { ${fate}: ${doom} }`)

const unplaced = deploymentText('unplaced', 'web:1').replace(
  "image: 'web:1'",
  "image: 'web:1', resources: { requests: { cpu: '1000' } }",
)

const init = `    spec:
      initContainers: [{ name: first, image: 'init:1' }]
      containers: [{ name: web, image: 'web:2' }]
`

test(
  'pods that can not start are told with their reason, long before the time is over',
  { skip },
  async (t) => {
    const drive = driver(t, 'doomed')
    const reasons = {
      crash: 'CrashLoopBackOff',
      image: 'ImagePullBackOff',
      pull: 'ErrImagePull',
      config: 'CreateContainerConfigError',
      init: 'container first: CrashLoopBackOff',
    }
    const files = Object.fromEntries(
      Object.keys(reasons).map((doom) => [
        `${doom}.yaml`,
        doom === 'init'
          ? doomed(doom, doom).replace(/ {4}spec: .*\n/, init)
          : doomed(`doomed-${doom}`, doom),
      ]),
    )
    const driven = await drive.up(files, { options: { timeout: 300_000 } })
    assert.equal(driven.outcome, 'failed', driven.text)
    for (const reason of Object.values(reasons)) assert.match(driven.text, new RegExp(reason))
    assert.doesNotMatch(driven.text, /timed out|timed_out/)
  },
)

test(
  'a pod that no node can take has the whole time, and is told with its reason then',
  { skip },
  async (t) => {
    const drive = driver(t, 'unplaced')
    const began = Date.now()
    const driven = await drive.up({ 'a.yaml': unplaced }, { options: { timeout: 20_000 } })
    assert.equal(driven.outcome, 'failed', driven.text)
    assert.ok(Date.now() - began >= 20_000)
    assert.match(driven.text, /Unschedulable: .*Insufficient cpu/)
    assert.match(driven.text, /FailedScheduling/, 'no event lines')
  },
)

test(
  'what pods of the template before do is no reason to refuse one that mends them',
  { skip },
  async (t) => {
    const drive = driver(t, 'mended')
    const files = (doom: string) => {
      const deployment = deploymentText('mended', 'web:1', doom)
      const ordered = deployment
        .replaceAll('mended', 'mended-ordered')
        .replace('kind: Deployment', 'kind: StatefulSet')
        .replace('  replicas: 1\n', '  replicas: 1\n  podManagementPolicy: Parallel\n')
      return { 'a.yaml': deployment, 'b.yaml': ordered }
    }
    const broken = await drive.up(files(`, annotations: { ${fate}: crash }`))
    assert.equal(broken.outcome, 'failed', broken.text)
    for (const name of ['mended', 'mended-ordered']) {
      assert.match(broken.text, new RegExp(`default/${name}[^]*CrashLoopBackOff`))
    }
    const mended = await drive.up(files(''))
    assert.equal(mended.outcome, 'succeeded', mended.text)
  },
)

test('a pod by itself has the same patience as those of workloads', { skip }, async (t) => {
  const drive = driver(t, 'alone')
  const pod = (doom: string) => `apiVersion: v1
kind: Pod
metadata: { name: alone-${doom}, namespace: default, annotations: { ${fate}: ${doom} } }
spec: { containers: [{ name: web, image: 'web:1' }] }
`
  const good = await drive.up({ 'a.yaml': pod('stumble') })
  assert.equal(good.outcome, 'succeeded', good.text)
  const bad = await drive.up({ 'b.yaml': pod('crash') })
  assert.equal(bad.outcome, 'failed', bad.text)
  assert.match(bad.text, /CrashLoopBackOff/)
})

test('what is not changed but unwell is waited for too, and named', { skip }, async (t) => {
  const drive = driver(t, 'unwell')
  const files = { 'd.yaml': doomed('unwell', 'crash'), 'm.yaml': configMap('unwell', 'x') }
  assert.equal((await drive.up(files)).outcome, 'failed')
  const again = await drive.up(files)
  assert.equal(again.outcome, 'failed', again.text)
  assert.deepEqual(again.plan?.groups, [])
  assert.match(again.text, /Deployment\.apps\/default\/unwell[^]*CrashLoopBackOff/)
  const careless = driver(t, 'unwell', { wait: false })
  assert.equal((await careless.up(files)).outcome, 'succeeded')
})

test(
  'health checks alone are waited for where wait is off, also objects of others',
  { skip },
  async (t) => {
    const checks = [
      { kind: 'Deployment', namespace: 'default', name: 'checked' },
      { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'made-later' },
    ]
    const drive = driver(t, 'checks', { wait: false, healthChecks: checks })
    const files = {
      'a.yaml': deploymentText('checked', 'web:1'),
      'b.yaml': doomed('unchecked', 'crash'),
    }
    let isMissed = false
    const driven = await drive.up(files, {
      told(event) {
        if (isMissed || !/made-later.*it is not there yet/.test(JSON.stringify(event))) return
        isMissed = true
        kube.kubectl(['create', 'configmap', 'made-later'])
      },
    })
    assert.equal(driven.outcome, 'succeeded', driven.text)
    assert.ok(isMissed, driven.text)
  },
)

test(
  'what was ours, what kubectl had and what another had is as it was, and whose it was',
  { skip },
  async (t) => {
    const drive = driver(t, 'back')
    const path = (name: string) => `/api/v1/namespaces/default/configmaps/${name}`
    await drive.up({ 'own.yaml': configMap('back-own', 'old') })
    kube.kubectl(['apply', '-f', '-'], configMap('back-kubectl', 'old, more: x'))
    kube.kubectl([
      'create',
      'configmap',
      'back-other',
      '--from-literal=key=old',
      '--field-manager=other',
    ])
    const names = ['back-own', 'back-kubectl', 'back-other']
    const state = async () =>
      Promise.all(
        names.map(async (name) => {
          const object = await get(path(name))
          const { labels, managedFields } = metadata(object)
          const sets = (managedFields as Fields[]).map(({ manager, operation, fieldsV1 }) =>
            JSON.stringify([manager, operation, fieldsV1]),
          )
          return { data: object?.['data'], labels, sets: sets.toSorted() }
        }),
      )
    const then = await state()
    const bad = {
      'own.yaml': configMap('back-own', 'new'),
      'kubectl.yaml': configMap('back-kubectl', 'new'),
      'other.yaml': configMap('back-other', 'new'),
      'fresh.yaml': configMap('back-fresh', 'new'),
      'raced.yaml': configMap('back-raced', 'new'),
      'ns.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: { name: back-space }\n',
      'claim.yaml': `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: back-claim, namespace: default, annotations: { kustomize.toolkit.fluxcd.io/reconcile: enabled } }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`,
      'bad.yaml': doomed('back-bad', 'crash'),
    }
    // another one makes it between the look and the run
    const approve = async () => {
      kube.kubectl(['create', 'configmap', 'back-raced', '--from-literal=key=theirs'])
      return true
    }
    const driven = await drive.up(bad, { options: { timeout: 20_000 }, request: { approve } })
    assert.equal(driven.outcome, 'failed', driven.text)
    assert.match(driven.text, /"isRolledBack":true/)
    assert.ok(await get(path('back-raced')), 'one that the run did not make was taken away')
    assert.deepEqual(
      (await state()).map(({ data, sets }) => ({ data, sets })),
      then.map(({ data, sets }) => ({ data, sets })),
    )
    assert.equal(await get(path('back-fresh')), undefined)
    assert.equal(await get('/apis/apps/v1/namespaces/default/deployments/back-bad'), undefined)
    assert.ok(await get('/api/v1/namespaces/back-space'), 'a namespace was taken back')
    assert.ok(await get('/api/v1/namespaces/default/persistentvolumeclaims/back-claim'))
  },
)

test('expressions decide where there are any, over the rules of the kind', { skip }, async (t) => {
  const exprs = [
    {
      apiVersion: 'example.com/v1',
      kind: 'Task',
      inProgress: "has(status.phase) && status.phase == 'Running'",
      failed: "status.phase == 'Lost'",
      current: "status.phase == 'Done'",
    },
  ]
  const drive = driver(t, 'cel', { healthCheckExprs: exprs })
  const task = (name: string) =>
    `apiVersion: example.com/v1\nkind: Task\nmetadata: { name: ${name}, namespace: default }\n`
  const set = (name: string, phase: string) =>
    kube.kubectl(
      ['patch', 'jobs2.example.com', name, '--subresource=status', '--type=merge'].concat(
        '-p',
        JSON.stringify({ status: { phase } }),
      ),
    )
  const going = drive.up({ 'a.yaml': task('good') })
  await there('/apis/example.com/v1/namespaces/default/jobs2/good')
  set('good', 'Running')
  set('good', 'Done')
  const good = await going
  assert.equal(good.outcome, 'succeeded', good.text)
  const doing = drive.up({ 'a.yaml': task('good'), 'b.yaml': task('bad') })
  await there('/apis/example.com/v1/namespaces/default/jobs2/bad')
  set('bad', 'Lost')
  const bad = await doing
  assert.equal(bad.outcome, 'failed', bad.text)
  assert.match(bad.text, /failed: status\.phase == 'Lost'/)
})

async function there(path: string): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if ((await get(path)) !== undefined) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`half a minute went by without ${path}`)
}

test(
  'what the answer to its apply shows to be well is neither asked for again nor watched',
  { skip },
  async (t) => {
    const driver = driveKube(kube, 'at-once')
    t.after(() => driver.close())
    const service = `apiVersion: v1
kind: Service
metadata: { name: at-once, namespace: default }
spec: { selector: { app: at-once }, ports: [{ port: 80 }] }
`
    const { outcome } = await driver.up({ 'a.yaml': service }, { inventory: [] })
    assert.equal(outcome, 'succeeded')
    const asked = driver.asked().filter((line) => line.includes('/services'))
    assert.deepEqual(
      asked.filter((line) => line.includes('/at-once') && line.startsWith('GET ')),
      [],
    )
    assert.deepEqual(
      asked.filter((line) => line.includes('watch=true')),
      [],
    )
  },
)
