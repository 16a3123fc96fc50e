/** The requirement, each point by its number, with its own commands: `k8s/clusters/local` in Git, followed by a cluster. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
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
  type WorldOptions,
} from '../testbed/flux-world.ts'
import { waitFor } from '../testbed/serving.ts'
import { deployment, overlay, wrong } from '../testbed/flux-manifests.ts'
import { fate } from '../testbed/kube-stages.ts'
import { webStandIn, type WebStandIn } from '../testbed/web-stand-in.ts'
import { controlPlane, requiredKube } from '../testbed/kube-tools.ts'

const root = 'k8s/clusters/local'
const own = `${sets}/apps`
const web = '/apis/apps/v1/namespaces/default/deployments/web'

/** As whom it runs is the caller's. */
export function requirement(as: string, options: WorldOptions): void {
  const skip = requiredKube([...controlPlane, 'kustomize', 'flux'])
  let world: FluxWorld
  let alerted: WebStandIn
  let last = ''

  before(async () => {
    if (skip !== false) return
    world = await fluxWorld(options)
    alerted = await webStandIn()
  })

  after(async () => {
    if (skip !== false) return
    await world.stop()
    await alerted.close()
  })

  function check(name: string, work: () => Promise<void>): void {
    void test(`${name} (${as})`, { skip }, work)
  }

  /** Until the newest commit is applied. */
  async function applied(files: Readonly<Record<string, string | null>>): Promise<void> {
    last = world.push('change', files)
    await world.until(own, (one) => isReady(one, last))
  }

  check('R1 input: a repository, a Kustomization and a cluster', async () => {
    last = world.git.commit('first', {
      [`${root}/kustomization.yaml`]: 'resources:\n- apps\n- web\n',
      [`${root}/apps/kustomization.yaml`]: 'resources:\n- first.yaml\n',
      [`${root}/apps/first.yaml`]: configMap('first', 'value'),
      [`${root}/web/kustomization.yaml`]: overlay,
      'k8s/base/kustomization.yaml': 'resources:\n- web.yaml\n',
      'k8s/base/web.yaml': deployment('web:1'),
    })
    world.apply(gitRepository('infra', world.url), kustomization('apps'))
    const channel = `{ kind: webhook, url: ${JSON.stringify(alerted.url)} }`
    world.serving.declare(`alerts:\n  failures: 3\n  channels:\n  - ${channel}\n`)
    await world.start()
    await world.until(own, (one) => isReady(one, last))
  })

  check('R3 build: overlays are built', async () => {
    const live = await world.get(web)
    assert.equal(live.spec.replicas, 2)
    assert.equal(live.metadata.labels.tier, 'front')
  })

  check('R5 apply: objects are created', async () => {
    const { data, metadata } = await world.get(`${maps}/first`)
    assert.deepEqual(data, { key: 'value' })
    assert.equal(metadata.labels['kustomize.toolkit.fluxcd.io/name'], 'apps')
  })

  check('R6 health: ready is said when objects are', async () => {
    const { status } = await world.get(web)
    assert.equal(status.readyReplicas, 2)
    assert.equal(conditionOf(await world.get(own), 'Healthy'), 'True Succeeded')
  })

  check('R11 scenario 1: a new ConfigMap appears within 5 minutes', async () => {
    const began = Date.now()
    await applied({
      [`${root}/apps/kustomization.yaml`]: 'resources:\n- first.yaml\n- test-config.yaml\n',
      [`${root}/apps/test-config.yaml`]: configMap('test-config', 'value'),
    })
    assert.deepEqual((await world.get(`${maps}/test-config`)).data, { key: 'value' })
    assert.ok(Date.now() - began < 300_000)
  })

  check('R12 scenario 2: it is updated, and nothing is down meanwhile', async () => {
    const before = await world.get(`${maps}/test-config`)
    last = world.push('update', {
      [`${root}/apps/test-config.yaml`]: configMap('test-config', 'updated-value'),
      'k8s/base/web.yaml': deployment('web:2'),
    })
    let least = Infinity
    for (let isDone = false; !isDone; await sleep(50)) {
      const { status } = await world.get(web)
      least = Math.min(least, status.availableReplicas ?? 0)
      isDone = isReady(await world.get(own), last)
    }
    // a quarter of two may be away, which is none
    assert.ok(least >= 2, `${least} were there`)
    const now = await world.get(`${maps}/test-config`)
    assert.deepEqual(now.data, { key: 'updated-value' })
    assert.equal(now.metadata.uid, before.metadata.uid)
  })

  check('R2 detection: a commit is seen within a minute, without being told', async () => {
    const commit = world.git.commit('seen', {
      [`${root}/apps/first.yaml`]: configMap('first', '2'),
    })
    const began = Date.now()
    await world.until(`${gits}/infra`, (one) => one.status.artifact.revision.endsWith(commit))
    const took = Date.now() - began
    assert.ok(took < 60_000, `${took} ms`)
    last = commit
    await world.until(own, (one) => isReady(one, last))
  })

  check('R7 reconciliation ends within 5 minutes of the commit', async () => {
    const began = Date.now()
    await applied({ [`${root}/apps/first.yaml`]: configMap('first', '3') })
    assert.ok(Date.now() - began < 300_000)
  })

  check('R8 the newest commit is shown', async () => {
    const said = await world.shell(
      'kubectl get kustomization -A -o custom-columns=NAME:.metadata.name,REVISION:.status.lastAppliedRevision,READY:.status.conditions[0].status',
    )
    assert.equal(said.code, 0, said.text)
    assert.match(said.text, new RegExp(`^apps +main@sha1:${last} +True$`, 'm'))
  })

  check('R9 no reconciliation errors', async () => {
    const said = await world.shell(
      `kubectl get kustomization -A -o json | jq '.items[].status.conditions[] | select(.type=="Ready" and .status!="True")'`,
    )
    assert.deepEqual(said, { code: 0, text: '' })
  })

  check('R10 what is in the cluster is what is in Git', async () => {
    const said = await world.shell(`kubectl diff -f <(kustomize build ${root})`)
    assert.deepEqual(said, { code: 0, text: '' })
  })

  check('R4 validation: what does not pass the dry run stops everything', async () => {
    const began = Date.now()
    const bad = world.push('bad', {
      [`${root}/apps/first.yaml`]: configMap('first', 'never'),
      'k8s/base/web.yaml': wrong('web:2'),
    })
    const failed = await world.until(own, (one) => conditionOf(one, 'Ready').startsWith('False'))
    assert.ok(Date.now() - began < 30_000 * 2)
    assert.match(failed.status.conditions[0].message, /web\.yaml/)
    assert.equal(failed.status.conditions[0].type, 'Ready')
    assert.equal(failed.status.lastAttemptedRevision, `main@sha1:${bad}`)
    assert.equal(failed.status.lastAppliedRevision, `main@sha1:${last}`)
    assert.deepEqual((await world.get(`${maps}/first`)).data, { key: '3' })
    await applied({
      [`${root}/apps/first.yaml`]: configMap('first', '4'),
      'k8s/base/web.yaml': deployment('web:2'),
    })
  })

  check('R13 scenario 3: what is gone from Git goes, with its finalizers', async () => {
    const held = ['patch', 'configmap', 'test-config', '--type=merge', '-p']
    const finalizers = 'namespace: default\n  finalizers: [example.com/hold]'
    const guarded = configMap('test-config', 'guarded').replace('namespace: default', finalizers)
    await applied({ [`${root}/apps/test-config.yaml`]: guarded })
    last = world.push('remove', {
      [`${root}/apps/kustomization.yaml`]: 'resources:\n- first.yaml\n',
      [`${root}/apps/test-config.yaml`]: null,
    })
    await world.until(`${maps}/test-config`, (one) => one.metadata.deletionTimestamp !== undefined)
    world.kube.kubectl([...held, '{"metadata":{"finalizers":null}}'])
    await world.until(`${maps}/test-config`, (one) => one === undefined)
    await world.until(own, (one) => isReady(one, last))
  })

  check('R14 rollback: the state before is back within 2 minutes', async () => {
    await applied({ [`${root}/apps/first.yaml`]: configMap('first', '5') })
    const began = Date.now()
    const told = await world.serving.tend('rollback kustomization/apps')
    assert.equal(told.code, 0, told.err + told.out)
    await world.until(`${maps}/first`, (one) => one.data.key === '4')
    assert.ok(Date.now() - began < 120_000)
    await applied({ [`${root}/apps/first.yaml`]: configMap('first', '6') })
  })

  check('R15 the controller is healthy', async () => {
    const said = await world.shell(
      'kubectl wait -n flux-system --for=condition=Ready pod --all --timeout=120s >/dev/null; kubectl get pods -n flux-system',
    )
    assert.match(said.text, /^tend-\S+ +1\/1 +Running/m)
  })

  check('R16 flux get kustomizations', async () => {
    const said = await world.flux('get kustomizations')
    const short = last.slice(0, 8)
    assert.match(said.text, new RegExp(`apps\\s+main@sha1:${short}\\s+False\\s+True\\s+Applied`))
  })

  check('R17 flux get sources git', async () => {
    const said = await world.flux('get sources git')
    assert.match(said.text, new RegExp(`infra\\s+main@sha1:${last.slice(0, 8)}\\s+False\\s+True`))
  })

  check('R18 recovery: a passing failure is tried again', async () => {
    world.http.answer(503)
    const commit = world.push('later', { [`${root}/apps/first.yaml`]: configMap('first', '7') })
    const isDown = (one: unknown) => conditionOf(one, 'Ready') === 'False GitOperationFailed'
    await world.until(`${gits}/infra`, isDown)
    world.http.answer(undefined)
    last = commit
    await world.until(own, (one) => isReady(one, last))
  })

  check('R19 recovery: back to the last good state, and tried again with pauses', async () => {
    const annotations = `\n      annotations: { ${fate}: crash }`
    const bad = world.push('crashes', { 'k8s/base/web.yaml': deployment('web:3', annotations) })
    const failed = await world.until(
      own,
      (one) => conditionOf(one, 'Ready') === 'False HealthCheckFailed',
    )
    assert.equal(conditionOf(failed, 'Reconciling'), 'True ProgressingWithRetry')
    assert.match(failed.status.conditions[0].message, /rolled back to main@sha1:/)
    assert.equal(failed.status.lastAppliedRevision, `main@sha1:${last}`)
    assert.equal(failed.status.lastAttemptedRevision, `main@sha1:${bad}`)
    const isBack = (one: { spec: { template: { spec: unknown } } }) =>
      JSON.stringify(one.spec.template.spec).includes('web:2')
    await world.until(web, isBack)
    const { out } = await world.serving.tend('history kustomization/apps -o json')
    assert.match(out, /"status": "failed",\s+"rolledBack": true/)
    await applied({ 'k8s/base/web.yaml': deployment('web:4') })
  })

  check(
    'R20 recovery: who is to know is told of a failure that stays, and of its end',
    async () => {
      const before = alerted.seen.length
      world.push('wrong', { 'k8s/base/web.yaml': wrong('web:4') })
      // an image that can't be had is given a minute
      await waitFor(() => alerted.seen.length > before, 180_000)
      const told = JSON.parse(alerted.seen.at(-1)?.body ?? '')
      assert.equal(told.type, 'failing')
      assert.equal(told.app, 'kustomization:flux-system/apps')
      await applied({ 'k8s/base/web.yaml': deployment('web:4') })
      await waitFor(() => JSON.parse(alerted.seen.at(-1)?.body ?? '').type === 'recovered')
    },
  )

  check('R21 recovery: a person may take over', async () => {
    assert.equal((await world.flux('suspend kustomization apps')).code, 0)
    const patch = [
      'patch',
      'configmap',
      'first',
      '--type=merge',
      '-p',
      '{"data":{"key":"by hand"}}',
    ]
    world.kube.kubectl(patch)
    const said = await world.serving.tend('get kustomizations')
    assert.match(said.out, /apps\s+main@sha1:\S+\s+True\s+True/)
    assert.deepEqual((await world.get(`${maps}/first`)).data, { key: 'by hand' })
    const resumed = await world.flux('resume kustomization apps --timeout 2m')
    assert.equal(resumed.code, 0, resumed.text)
    await world.until(`${maps}/first`, (one) => one.data.key === '7')
  })

  check('R22 preconditions: each that is missing is named', async () => {
    const good = await world.serving.tend('kube check')
    assert.equal(good.code, 0, good.out + good.err)
    assert.match(
      good.out,
      /✔ cluster: .*\n✔ kinds: .*\n✔ rights: .*\n✔ beside Flux: .*\n✔ controller: .*\n✔ repositories/,
    )
    world.apply(gitRepository('gone', `${world.http.origin}/nowhere.git`))
    const isDown = (one: unknown) => conditionOf(one, 'Ready') === 'False GitOperationFailed'
    await world.until(`${gits}/gone`, isDown)
    const bad = await world.serving.tend('kube check')
    assert.equal(bad.code, 1)
    assert.match(bad.out, /✗ repositories: flux-system\/gone/)
    world.kube.kubectl(['delete', 'gitrepository', '-n', 'flux-system', 'gone'])
  })
}
