/** Everything that all sets have in a cluster is in sight together, and changes are told by whose they are. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { kubernetesAt } from '#clients/kubernetes/client.ts'
import { discoveryOf } from '#clients/kubernetes/discovery.ts'
import { clusterSurroundings, findCluster } from '#clients/kubernetes/find-cluster.ts'
import {
  createClusterCache,
  type OwnerNews,
} from '#domains/kustomizations/observe/cluster-cache.ts'
import { nameOfObject } from '#domains/kustomizations/object.ts'
import { systemClock } from '../testbed/drive.ts'
import { driveKube } from '../testbed/kube-drive.ts'
import { requiredKube } from '../testbed/kube-tools.ts'
import { startKube, type TestKube } from '../testbed/kube.ts'

const skip = requiredKube()
let kube: TestKube

before(async () => {
  if (skip === false) kube = await startKube({ isBare: true })
})

after(async () => {
  if (skip === false) await kube.stop()
})

function map(name: string, value: string, more = ''): string {
  return `apiVersion: v1
kind: ConfigMap
metadata: { name: ${name}, namespace: default${more} }
data: { key: ${value} }
`
}

async function until(what: string, isSo: () => boolean): Promise<void> {
  for (let waited = 0; waited < 30_000; waited += 20) {
    if (isSo()) return
    await sleep(20)
  }
  throw new Error(`half a minute went by, but not: ${what}`)
}

function open() {
  const kubernetes = kubernetesAt(findCluster(clusterSurroundings(kube.kubeconfig)))
  return { kubernetes, discovery: discoveryOf(kubernetes) }
}

function see(line: ReturnType<typeof open>) {
  const sight = createClusterCache(line.kubernetes, line.discovery, systemClock, () => ({}))
  const end = new AbortController()
  const news: OwnerNews[] = []
  const reading = (async () => {
    for await (const one of sight.watch(end.signal)) news.push(one)
  })()
  async function close(): Promise<void> {
    end.abort()
    await reading.catch(() => undefined)
    line.kubernetes.close()
  }
  const changes = () => news.flatMap((one) => (one.kind === 'changed' ? one.owner.name : []))
  return { sight, news, changes, close }
}

test('fingerprints move with drift, and only the owner is told', { skip }, async (t) => {
  const [one, two] = [driveKube(kube, 'one'), driveKube(kube, 'two')]
  await one.up({ 'a.yaml': map('one', 'x') })
  await two.up({ 'a.yaml': map('two', 'x') })
  const { sight, news, changes, close } = see(open())
  t.after(async () => {
    await close()
    one.close()
    two.close()
  })
  await until('everything was seen', () => news.some(({ kind }) => kind === 'listening'))
  const print = (name: string) => sight.sets().find((set) => set.owner.name === name)?.fingerprint
  const prints = [print('one'), print('two')]
  assert.ok(prints.every((one) => one !== undefined))
  assert.notEqual(prints[0], prints[1])
  kube.kubectl(['patch', 'configmap', 'one', '--type=merge', '-p', '{"data":{"key":"drift"}}'])
  await until('the owner was told', () => changes().includes('one'))
  assert.notEqual(print('one'), prints[0])
  assert.equal(print('two'), prints[1])
  assert.deepEqual([...new Set(changes())], ['one'])
  // what another adds beside our fields is no drift
  const before = print('two')
  kube.kubectl(['annotate', 'configmap', 'two', 'other=theirs', '--field-manager=other'])
  kube.kubectl(['delete', 'configmap', 'one'])
  await until('it is gone', () => print('one') === undefined)
  assert.equal(print('two'), before)
})

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: widgets, singular: widget, kind: Widget, listKind: WidgetList }
  versions:
  - name: v1
    served: true
    storage: true
    schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`

test(
  'a definition that is removed under us ends the sight of its kind, and nothing else',
  { skip },
  async (t) => {
    kube.kubectl(['apply', '-f', '-'], definition)
    kube.kubectl(['wait', '--for=condition=Established', 'crd/widgets.example.com'])
    const files = {
      'w.yaml':
        'apiVersion: example.com/v1\nkind: Widget\nmetadata: { name: w, namespace: default }\n',
      'm.yaml': map('beside', 'x'),
    }
    const driver = driveKube(kube, 'crd')
    assert.equal((await driver.up(files)).outcome, 'succeeded')
    const { sight, news, changes, close } = see(open())
    t.after(async () => {
      await close()
      driver.close()
    })
    const owner = { namespace: 'flux-system', name: 'crd' }
    await until('everything was seen', () => news.some(({ kind }) => kind === 'listening'))
    assert.deepEqual(
      sight
        .kindsOf(owner)
        .map(({ kind }) => kind)
        .toSorted(),
      ['ConfigMap', 'Widget'],
    )
    kube.kubectl(['delete', 'crd', 'widgets.example.com', '--wait=false'])
    await until('its objects are gone', () => sight.kindsOf(owner).length === 1)
    assert.ok(changes().includes('crd'))
    const again = await driver.up(files)
    assert.equal(again.outcome, 'refused', again.text)
    assert.match(again.text, /knows no kind Widget/)
    assert.match(again.text, /CustomResourceDefinition/)
    const without = await driver.up({ 'm.yaml': files['m.yaml'] })
    assert.equal(without.outcome, 'succeeded', without.text)
  },
)

test(
  'what is in sight is not asked for again, and what we did ourselves is never forgotten',
  { skip },
  async (t) => {
    const driver = driveKube(kube, 'seen')
    const { sight, news, close } = see(open())
    t.after(async () => {
      await close()
      driver.close()
    })
    await until('everything was seen', () => news.some(({ kind }) => kind === 'listening'))
    const files = { 'a.yaml': map('seen-a', 'x'), 'b.yaml': map('seen-b', 'x') }
    const request = { trigger: 'refresh' } as const
    const up = async (texts: Readonly<Record<string, string>>, inventory: readonly string[]) => {
      driver.asked()
      const names = inventory.map((name) => nameOfObject(mapNamed(name)))
      const { outcome, plan } = await driver.up(texts, { request, inventory: names, sight })
      assert.equal(outcome, 'succeeded')
      const steps = plan!.groups.map(({ ref, step }) => `${step} ${ref}`)
      return { steps, asked: driver.asked().filter((line) => line.includes('/configmaps')) }
    }
    const first = await up(files, [])
    assert.equal(first.steps.length, 2)
    assert.ok(
      first.asked.every((line) => line.startsWith('PATCH ')),
      first.asked.join('\n'),
    )
    // at once: what was applied a moment ago may not have been told yet
    const again = await up(files, ['seen-a', 'seen-b'])
    assert.deepEqual(again, { steps: [], asked: [] })
    kube.kubectl(['patch', 'configmap', 'seen-a', '--type=merge', '-p', '{"data":{"key":"y"}}'])
    let drifted = await up(files, ['seen-a', 'seen-b'])
    while (drifted.steps.length === 0) drifted = await up(files, ['seen-a', 'seen-b'])
    assert.deepEqual(drifted.steps, ['update ConfigMap/default/seen-a'])
    const reads = drifted.asked.filter((line) => line.startsWith('GET '))
    assert.deepEqual(reads, ['GET /api/v1/namespaces/default/configmaps/seen-a?'])
    const pruned = await up({ 'a.yaml': files['a.yaml'] }, ['seen-a', 'seen-b'])
    assert.deepEqual(pruned.steps, ['delete ConfigMap/default/seen-b'])
    const after = await up({ 'a.yaml': files['a.yaml'] }, ['seen-a'])
    assert.deepEqual(after, { steps: [], asked: [] })
  },
)

function mapNamed(name: string) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'default', name } }
}
