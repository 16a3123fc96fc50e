/** A commit that takes most of a set away is refused, and whoever meant it can say so: on the object, or by a verb. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  conditionOf,
  configMap,
  fluxWorld,
  gitRepository,
  isReady,
  kustomization,
  maps,
  sets,
  type FluxWorld,
  type Live,
} from '../testbed/flux-world.ts'
import { controlPlane, requiredKube } from '../testbed/kube-tools.ts'

const skip = requiredKube([...controlPlane])
let world: FluxWorld

function many(name: string, count: number): string {
  const names = Array.from({ length: count }, (_, index) => `${name}-${index}`)
  return names.map((each) => configMap(each, 'value')).join('---\n')
}

before(async () => {
  if (skip !== false) return
  world = await fluxWorld()
  world.git.commit('first', { 'one/all.yaml': many('one', 12), 'two/all.yaml': many('two', 12) })
  world.apply(
    gitRepository('infra', world.url),
    kustomization('one', { path: './one' }),
    kustomization('two', { path: './two' }),
  )
  await world.start()
})

after(async () => {
  if (skip === false) await world.stop()
})

function isRefused(object: unknown): boolean {
  return conditionOf(object, 'Ready').startsWith('False')
}

function messageOf(object: { status: { conditions: { message: string }[] } }): string {
  return object.status.conditions[0]?.message ?? ''
}

test('an annotation with the revision lets it remove most of a set', { skip }, async () => {
  for (const name of ['one', 'two']) await world.until(`${sets}/${name}`, (one) => isReady(one))
  const commit = world.push('little is left', { 'one/all.yaml': many('one', 1) })
  const refused = messageOf(await world.until(`${sets}/one`, isRefused))
  assert.match(refused, /would remove 11 of 12/)
  const line = /kubectl -n flux-system annotate [^;]*/.exec(refused)?.[0] ?? ''
  assert.match(line, /tend\/allow-mass-delete=[0-9a-f]{12}$/)
  assert.doesNotMatch(refused, /add --allow|tend uninstall/)
  // what was said of another revision counts for nothing
  const other = line.replace(/=[0-9a-f]+$/, '=0123456789ab')
  assert.equal((await world.shell(other)).code, 0)
  await world.until(`${sets}/one`, isRefused)
  assert.equal((await world.get(`${maps}/one-11`)).data.key, 'value')
  const said = await world.shell(line)
  assert.equal(said.code, 0, said.text)
  await world.until(`${sets}/one`, (one) => isReady(one, commit))
  await world.until(`${maps}/one-11`, (one) => one === undefined)
})

test('tend sync NAME --allow-mass-delete lets it, and --allow-empty all', { skip }, async () => {
  const commit = world.push('little is left of the other', { 'two/all.yaml': many('two', 1) })
  const refused = messageOf(await world.until(`${sets}/two`, isRefused))
  const verb = /tend (sync \S+ --allow-mass-delete)/.exec(refused)?.[1] ?? ''
  const synced = await world.serving.tend(`${verb} --wait`)
  assert.equal(synced.code, 0, synced.err + synced.out)
  await world.until(`${sets}/two`, (one) => isReady(one, commit))
  await world.until(`${maps}/two-11`, (one) => one === undefined)
  const none = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n'
  world.push('nothing is left', { 'two/all.yaml': null, 'two/kustomization.yaml': none })
  const empty = messageOf(
    await world.until(`${sets}/two`, (one) => /remove all/.test(one && messageOf(one))),
  )
  const allowed = /tend (sync \S+ --allow-empty)/.exec(empty)?.[1] ?? ''
  const emptied = await world.serving.tend(`${allowed} --wait`)
  assert.equal(emptied.code, 0, emptied.err + emptied.out)
  await world.until(`${maps}/two-0`, (one) => one === undefined)
})

test('what is only in trouble loses nothing, whatever is asked of it', { skip }, async () => {
  world.push('third', { 'three/all.yaml': configMap('three', 'value') })
  world.apply(kustomization('three', { path: './three' }))
  await world.until(`${sets}/three`, (one) => isReady(one))
  world.apply(
    kustomization('three', {
      path: './three',
      sourceRef: { kind: 'GitRepository', name: 'nobody' },
    }),
  )
  const isLost = (one: unknown) => conditionOf(one, 'Ready') === 'False ArtifactFailed'
  const { status } = await world.until(`${sets}/three`, isLost)
  assert.match(status.lastAppliedRevision, /^main@sha1:[0-9a-f]{40}$/)
  const at = 'reconcile.fluxcd.io/requestedAt=now'
  world.kube.kubectl(['annotate', '-n', 'flux-system', 'kustomization', 'three', at])
  await world.until(`${sets}/three`, (one) => one.status.lastHandledReconcileAt === 'now')
  for (const verb of ['sync', 'rollback', 'ack']) {
    const line = `${verb} kustomization/three${verb === 'rollback' ? '' : ' --wait'}`
    const told = await world.serving.tend(line)
    assert.notEqual(told.code, 0, told.out)
  }
  assert.equal((await world.get(`${maps}/three`))?.data.key, 'value')
  world.apply(kustomization('three', { path: './three', namePrefix: 'the-' }))
  await world.until(`${sets}/three`, (one) => isReady(one))
  await world.until(`${maps}/the-three`, (one) => one?.data.key === 'value')
})

test('what finalizers hold is told while it is waited for', { skip }, async () => {
  const held = configMap('held', 'value').replace(
    '  name:',
    '  finalizers: [example.org/hold]\n  name:',
  )
  world.push('held', { 'four/held.yaml': held, 'four/a.yaml': configMap('four', 'value') })
  world.apply(kustomization('four', { path: './four' }))
  await world.until(`${sets}/four`, (one) => isReady(one))
  const letGo = ['patch', 'configmap', 'held', '--type=json', '-p']
  const patch = '[{"op":"remove","path":"/metadata/finalizers"}]'
  const words =
    /ConfigMap\/default\/held is being deleted: held by its finalizers example\.org\/hold/
  const isTold = (one: { status: { conditions: { message: string }[] } }) =>
    words.test(messageOf(one))
  const commit = world.push('gone', { 'four/held.yaml': null })
  await world.until(`${sets}/four`, isTold)
  world.kube.kubectl([...letGo, patch])
  await world.until(`${sets}/four`, (one) => isReady(one, commit))
  const again = world.push('again', { 'four/held.yaml': held })
  await world.until(`${sets}/four`, (one) => isReady(one, again))
  world.kube.kubectl(['delete', 'kustomization', '-n', 'flux-system', 'four', '--wait=false'])
  const going = await world.until(`${sets}/four`, isTold)
  assert.match(messageOf(going), /^Removing what it made: /)
  world.kube.kubectl([...letGo, patch])
  await world.until(`${sets}/four`, (one) => one === undefined)
})

test('a first run that never becomes healthy ends when its set is deleted', { skip }, async () => {
  const claims = '/api/v1/namespaces/default/persistentvolumeclaims/unbound'
  world.push('unbound', {
    'unbound/claim.yaml': `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: unbound, namespace: default }
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: nobodys
  resources: { requests: { storage: 1Gi } }
`,
  })
  world.apply(kustomization('unbound', { path: './unbound', timeout: '30m' }))
  const id = 'default_unbound__PersistentVolumeClaim'
  const isListed = (one: Live) => one.status?.inventory?.entries?.[0]?.id === id
  await world.until(`${sets}/unbound`, isListed)
  await world.serving.kill()
  await world.start()
  await world.serving.until(
    'kustomization:flux-system/unbound',
    ({ state, reason }) => state === 'syncing' && reason === '',
  )
  // somebody's finalizer keeps it for a while: what is still there stays in the inventory
  const finalizers = (names: readonly string[] | null) =>
    world.kube.kubectl(
      ['patch', 'pvc', 'unbound', '--type=merge', '-p'].concat(
        JSON.stringify({ metadata: { finalizers: names } }),
      ),
    )
  finalizers(['example.com/hold'])
  world.kube.kubectl(['delete', 'kustomization', '-n', 'flux-system', 'unbound', '--wait=false'])
  await world.until(claims, (one) => one.metadata.deletionTimestamp !== undefined)
  const isHeld = (one: Live) => /example.com\/hold/.test(one.status.conditions[0].message)
  assert.ok(isListed(await world.until(`${sets}/unbound`, isHeld)))
  finalizers(null)
  await world.until(`${sets}/unbound`, (one) => one === undefined)
  assert.equal(await world.get(claims), undefined)
})
