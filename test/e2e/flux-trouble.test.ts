/** A cluster in trouble: what others change at the same moment, what is refused, delayed and cut. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  configMap,
  fluxWorld,
  gitRepository,
  isReady,
  kustomization,
  maps,
  sets,
  type FluxWorld,
} from '../testbed/flux-world.ts'
import type { KubeCall, KubeFault } from '../testbed/kube-faults.ts'
import { controlPlane, requiredKube } from '../testbed/kube-tools.ts'
import { waitFor } from '../testbed/serving.ts'

const skip = requiredKube([...controlPlane, 'flux'])
let world: FluxWorld

before(async () => {
  if (skip !== false) return
  world = await fluxWorld({ hasFaults: true })
  world.git.commit('first', { 'app/a.yaml': configMap('a', 'one') })
  world.apply(gitRepository('infra', world.url))
  await world.start()
})

after(async () => {
  if (skip === false) await world.stop()
})

function isPatch({ method, path }: KubeCall, what: string): boolean {
  return method === 'PATCH' && path.includes(what)
}

/** The first so many calls of a sort; gives how many there were. */
function firstOf(most: number, fault: KubeFault, isMeant: (call: KubeCall) => boolean) {
  let met = 0
  world.faults?.plan((call) => (isMeant(call) && ++met <= most ? fault : 'pass'))
  return () => met
}

test(
  'a conflict over an object, its finalizer and its status, is tried again',
  { skip },
  async () => {
    const met = firstOf(4, 409, (call) => isPatch(call, '/kustomizations/apps'))
    world.apply(kustomization('apps', { path: './app' }))
    await world.until(`${sets}/apps`, (one) => isReady(one))
    assert.ok(met() > 4, `${met()} writes`)
    assert.deepEqual((await world.get(`${maps}/a`)).data, { key: 'one' })
  },
)

test(
  'a conflict over what is applied is tried again, and so is an answer that was lost',
  { skip },
  async () => {
    for (const [value, fault] of [
      ['two', 409],
      ['three', 'cut-after'],
      ['four', 'cut-before'],
      ['five', 500],
      ['six', 429],
    ] as const) {
      const isApply = (call: KubeCall) =>
        isPatch(call, '/configmaps/a?') && !call.path.includes('dryRun')
      const met = firstOf(1, fault, isApply)
      const commit = world.push(value, { 'app/a.yaml': configMap('a', value) })
      await world.until(`${sets}/apps`, (one) => isReady(one, commit))
      assert.deepEqual((await world.get(`${maps}/a`)).data, { key: value })
      assert.ok(met() > 1, `${fault}: ${met()} writes`)
    }
  },
)

test('calls fail, watches and lines are cut: it comes to rest as declared', { skip }, async () => {
  const faults = ['slow', 500, 'cut-before', 'cut-after', 429] as const
  const isLease = ({ path }: KubeCall) => path.includes('/leases/')
  let met = 0
  world.faults?.plan((call) => {
    if (call.isWatch || isLease(call) || call.number % 4 !== 0 || met === 12) return 'pass'
    met += 1
    return faults[met % faults.length] ?? 'pass'
  })
  const commit = world.push('seven', {
    'app/a.yaml': configMap('a', 'seven'),
    ...Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [`app/b${index}.yaml`, configMap(`b${index}`, 'x')]),
    ),
  })
  world.faults?.cutWatches()
  world.faults?.cutAll()
  await world.until(`${sets}/apps`, (one) => isReady(one, commit))
  assert.equal(met, 12)
  const { inventory } = (await world.get(`${sets}/apps`)).status
  assert.equal(inventory.entries.length, 10)
  world.faults?.cutWatches()
  world.kube.kubectl(['patch', 'configmap', 'a', '--type=merge', '-p', '{"data":{"key":"hand"}}'])
  await world.until(`${maps}/a`, (one) => one.data.key === 'seven')
})

test('an end is waited for as long as not everything can be seen', { skip }, async () => {
  const account =
    'apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: end, namespace: default }\n'
  const files = { 'end/a.yaml': configMap('end', 'x'), 'end/b.yaml': account }
  const commit = world.push('an end', files)
  world.apply(kustomization('end', { path: './end' }))
  await world.until(`${sets}/end`, (one) => isReady(one, commit))
  world.faults?.plan(({ method, path }) => {
    return method === 'GET' && /\/serviceaccounts\?/.test(path) ? 500 : 'pass'
  })
  world.faults?.cutWatches()
  await waitFor(() => world.serving.log().includes('nothing is heard of serviceaccounts'))
  world.kube.kubectl(['delete', 'kustomization', '-n', 'flux-system', 'end', '--wait=false'])
  const words = /Removing what it made: could not list serviceaccounts/
  await world.until(`${sets}/end`, (one) => words.test(one.status.conditions[0].message))
  world.faults?.plan(() => 'pass')
  await world.until(`${sets}/end`, (one) => one === undefined)
  assert.equal(await world.get(`${maps}/end`), undefined)
  assert.equal(await world.get('/api/v1/namespaces/default/serviceaccounts/end'), undefined)
})
