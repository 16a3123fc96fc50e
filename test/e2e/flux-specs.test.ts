/** What specs say: dependencies, variables, refs, what is refused, and the same without objects in tend.yaml. */
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
  type FluxWorld,
} from '../testbed/flux-world.ts'
import { startGitHttp } from '../testbed/git-http.ts'
import { controlPlane, requiredKube } from '../testbed/kube-tools.ts'
import { waitFor } from '../testbed/serving.ts'

const skip = requiredKube([...controlPlane, 'flux'])
let world: FluxWorld

before(async () => {
  if (skip !== false) return
  world = await fluxWorld()
  world.git.commit('first', {
    'one/a.yaml': configMap('one', 'value'),
    'two/b.yaml': configMap('two', 'value'),
    'vars/c.yaml': configMap('vars', '${greeting}'),
    'file/d.yaml': configMap('from-file', 'value'),
    '.github/ci.yaml': 'name: no object\n',
  })
  world.git.git('tag', 'v1.2.0')
  world.git.git('push', '-q', 'origin', 'v1.2.0')
  const source = `sources:\n  infra: { git: ${JSON.stringify(world.url)}, ref: main }\n`
  world.serving.declare(`${source}apps:\n  - { kustomization: filed, path: file, source: infra }\n`)
  world.apply(gitRepository('infra', world.url))
  await world.start()
})

after(async () => {
  if (skip === false) await world.stop()
})

test('dependsOn waits, reacts at once, and names a circle', { skip }, async () => {
  world.apply(kustomization('second', { path: './two', dependsOn: [{ name: 'first' }] }))
  const waiting = await world.until(
    `${sets}/second`,
    (one) => conditionOf(one, 'Ready') === 'False DependencyNotReady',
  )
  assert.match(waiting.status.conditions[0].message, /flux-system\/first/)
  world.apply(kustomization('first', { path: './one' }))
  await world.until(`${sets}/second`, (one) => isReady(one))
  world.apply(
    kustomization('left', { path: './one', dependsOn: [{ name: 'right' }] }),
    kustomization('right', { path: './two', dependsOn: [{ name: 'left' }] }),
  )
  const circle = await world.until(
    `${sets}/left`,
    (one) => conditionOf(one, 'Stalled') === 'True DependencyNotReady',
  )
  assert.match(circle.status.conditions[0].message, /left.* → .*right.* → .*left/)
  world.kube.kubectl(['delete', 'kustomization', '-n', 'flux-system', 'left', 'right'])
})

test('a readyExpr decides in place of the usual rule', { skip }, async () => {
  const readyExpr = "dep.metadata.labels['open'] == 'yes'"
  const dependsOn = [{ name: 'first', readyExpr }]
  world.apply(kustomization('gated', { path: './two', dependsOn, namePrefix: 'gated-' }))
  const isWaiting = (one: unknown) => conditionOf(one, 'Ready') === 'False DependencyNotReady'
  await world.until(`${sets}/gated`, isWaiting)
  world.kube.kubectl(['label', 'kustomization', '-n', 'flux-system', 'first', 'open=yes'])
  await world.until(`${sets}/gated`, (one) => isReady(one))
  const wrong = [{ name: 'first', readyExpr: 'dep.(' }]
  world.apply(kustomization('gated', { path: './two', dependsOn: wrong, namePrefix: 'gated-' }))
  await world.until(
    `${sets}/gated`,
    (one) => conditionOf(one, 'Stalled') === 'True InvalidCELExpression',
  )
})

test('variables come from ConfigMaps and Secrets, and follow them', { skip }, async () => {
  const substituteFrom = [{ kind: 'Secret', name: 'words' }]
  world.apply(kustomization('vars', { path: './vars', postBuild: { substituteFrom } }))
  const isMissing = (one: unknown) => conditionOf(one, 'Ready') === 'False BuildFailed'
  const missing = await world.until(`${sets}/vars`, isMissing)
  assert.match(missing.status.conditions[0].message, /Secret 'flux-system\/words' not found/)
  const secret = (greeting: string) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'words', namespace: 'flux-system' },
    stringData: { greeting },
  })
  world.apply(secret('hello'))
  await world.until(`${maps}/vars`, (one) => one?.data?.key === 'hello')
  world.apply(secret('good-day'))
  await world.until(`${maps}/vars`, (one) => one?.data?.key === 'good-day')
  assert.ok(!world.serving.log().includes('good-day'))
})

test(
  'all that the server refuses is told at once, as an event too, and what runs is kept meanwhile',
  { skip },
  async () => {
    const nowhere = configMap('bad', 'value').replace('namespace: default', 'namespace: nowhere')
    const wrong = 'apiVersion: v1\nkind: Service\nmetadata: { name: bad, namespace: default }\n'
    world.push('bad', {
      'bad/one.yaml': nowhere,
      'bad/two.yaml': `${wrong}spec: { prts: [] }\n`,
    })
    world.apply(kustomization('bad', { path: './bad' }))
    const isRefused = (one: unknown) => conditionOf(one, 'Ready') === 'False ReconciliationFailed'
    const { status } = await world.until(`${sets}/bad`, isRefused)
    const places = [
      /bad\/one\.yaml:1:1: .*nowhere/,
      /bad\/two\.yaml:4:9: .*prts.*did you mean spec\.ports\?/,
    ]
    for (const place of places) assert.match(status.conditions[0].message, place)
    await untilTold('bad', 'ReconciliationFailed', ...places)
    world.push('good', { 'bad/one.yaml': configMap('bad', 'value'), 'bad/two.yaml': null })
    await world.until(`${sets}/bad`, (one) => isReady(one))
    world.push('bad again', { 'bad/two.yaml': `${wrong}spec: { prts: [] }\n` })
    await world.until(`${sets}/bad`, isRefused)
    const differs = await world.serving.tend('diff kustomization/bad')
    assert.equal(differs.code, 1, differs.out)
    assert.match(differs.out, /revision [0-9a-f]{7} is refused, and nothing of it would be applied/)
    assert.match(differs.err, /bad\/two\.yaml:4:9 .*prts/)
    // while it is tried again it is syncing, and nothing is said of now
    await waitFor(async () => {
      const history = await world.serving.tend('history kustomization/bad')
      return /Now: failed: bad\/two\.yaml/.test(history.err)
    })
    world.kube.kubectl(['delete', 'configmap', 'bad'])
    await world.until(`${maps}/bad`, (one) => one?.data?.key === 'value')
  },
)

test(
  'what can not be built is told as an event, and what runs is kept meanwhile',
  { skip },
  async () => {
    world.push('kept', { 'kept/a.yaml': configMap('kept', 'value') })
    world.apply(kustomization('kept', { path: './kept' }))
    await world.until(`${sets}/kept`, (one) => isReady(one))
    world.push('torn', { 'kept/b.yaml': 'kind: [\n' })
    const isTorn = (one: unknown) => conditionOf(one, 'Ready') === 'False BuildFailed'
    await world.until(`${sets}/kept`, isTorn)
    await untilTold('kept', 'BuildFailed', /kept\/b\.yaml:\d+:\d+: /)
    const differs = await world.serving.tend('diff kustomization/kept')
    assert.equal(differs.code, 1, differs.out)
    assert.match(differs.err, /kept\/b\.yaml:\d+:\d+/)
    world.kube.kubectl(['delete', 'configmap', 'kept'])
    await world.until(`${maps}/kept`, (one) => one?.data?.key === 'value')
    assert.ok(isTorn(await world.until(`${sets}/kept`, isTorn)))
  },
)

/** Until an event says all of it. */
async function untilTold(name: string, reason: string, ...texts: readonly RegExp[]): Promise<void> {
  const which = `involvedObject.name=${name},reason=${reason}`
  const words = ['get', 'events', '-n', 'flux-system', '-o', 'json', '--field-selector', which]
  const told = (): readonly { message: string }[] => JSON.parse(world.kube.kubectl(words)).items
  await waitFor(() => told().some(({ message }) => texts.every((text) => text.test(message))))
}

test(
  'a range of versions means its newest tag, and what is not supported says so',
  { skip },
  async () => {
    const unsupported = {
      include: [{ repository: { name: 'other' } }],
      proxySecretRef: { name: 'proxy' },
      provider: 'github',
    }
    world.apply(
      gitRepository('ranged', world.url, { ref: { semver: '>=1.0.0 <2.0.0' } }),
      ...Object.entries(unsupported).map(([field, value]) =>
        gitRepository(`without-${field.toLowerCase()}`, world.url, { [field]: value }),
      ),
    )
    const ranged = await world.until(`${gits}/ranged`, (one) => one.status?.artifact !== undefined)
    assert.match(ranged.status.artifact.revision, /^v1\.2\.0@sha1:[0-9a-f]{40}$/)
    for (const field of Object.keys(unsupported)) {
      const refused = await world.until(
        `${gits}/without-${field.toLowerCase()}`,
        (one) => conditionOf(one, 'Stalled') === 'True Unsupported',
      )
      assert.ok(refused.status.conditions[0].message.includes(`spec.${field}`))
    }
  },
)

test(
  'an annotation that can not be meant stops everything, and says what may be',
  { skip },
  async () => {
    const annotations = { 'tend/rollback': 'nevr', 'tend/drfit': 'ignore' }
    world.apply(
      kustomization('misread', { path: './one', namePrefix: 'misread-' }, { annotations }),
    )
    const isInvalid = (one: unknown) => conditionOf(one, 'Stalled') === 'True InvalidSpec'
    const { status } = await world.until(`${sets}/misread`, isInvalid)
    assert.match(status.conditions[0].message, /auto, manual or never, did you mean never\?/)
    assert.match(
      status.conditions[0].message,
      /tend\/drfit is not known \(did you mean tend\/drift\?/,
    )
    assert.equal(await world.get(`${maps}/misread-one`), undefined)
    await untilTold('misread', 'InvalidSpec', /did you mean never/)
    const { out } = await world.serving.tend('get apps')
    assert.match(out, /^flux-system\/misread .* failed[^\n]*\n +the annotation tend\/drfit/m)
    const synced = await world.serving.tend('sync kustomization/misread --wait')
    assert.equal(synced.code, 2, synced.out)
    assert.match(synced.err, /tend\/drfit is not known/)
    const right = ['tend/rollback=never', 'tend/drfit-', '--overwrite']
    world.kube.kubectl(['annotate', 'kustomization', '-n', 'flux-system', 'misread', ...right])
    await world.until(`${sets}/misread`, (one) => isReady(one))
  },
)

test('the same without objects: declared in tend.yaml', { skip }, async () => {
  const map = await world.until(`${maps}/from-file`, (one) => one !== undefined)
  assert.equal(map.metadata.labels['kustomize.toolkit.fluxcd.io/name'], 'filed')
  await world.serving.until('kustomization:flux-system/filed', ({ state }) => state === 'synced')
})

test('tend diff shows what files of this machine would change', { skip }, async () => {
  const path = `${world.git.work}/one`
  const same = await world.serving.tend(`diff kustomization first --path ${path}`)
  assert.equal(same.code, 0, same.err)
  assert.match(same.out, /Nothing would change in flux-system\/first/)
  const { writeFileSync } = await import('node:fs')
  writeFileSync(`${path}/a.yaml`, configMap('one', 'other'))
  const told = await world.serving.tend(`diff kustomization first --path ${path} --exit-code`)
  assert.equal(told.code, 3, told.out + told.err)
  assert.match(told.out, /ConfigMap\/default\/one {2}update[^]*data\.key: "?value"? → "?other"?/)
})

test('deletionPolicy Orphan leaves what was made', { skip }, async () => {
  const spec = { path: './one', namePrefix: 'orphan-', deletionPolicy: 'Orphan' }
  world.apply(kustomization('orphan', spec))
  await world.until(`${sets}/orphan`, (one) => isReady(one))
  const words = ['delete', 'kustomization', '-n', 'flux-system', 'orphan', '--timeout=60s']
  world.kube.kubectl(words)
  assert.deepEqual((await world.get(`${maps}/orphan-one`)).data, { key: 'value' })
})

test(
  'a repository is asked with what its Secret holds, and a renewed one is used',
  { skip },
  async (t) => {
    const password = { user: 'robot', token: 'only-this-one' }
    const locked = await startGitHttp({ folder: world.git.folder, password })
    t.after(() => locked.stop())
    const secret = (token: string) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'robot', namespace: 'flux-system' },
      stringData: { username: 'robot', password: token },
    })
    const secretRef = { name: 'robot' }
    world.apply(gitRepository('locked', `${locked.origin}/infra.git`, { secretRef }))
    const isMissing = (one: unknown) => conditionOf(one, 'Ready') === 'False AuthenticationFailed'
    await world.until(`${gits}/locked`, isMissing)
    world.apply(secret('wrong'))
    const isRefused = (one: unknown) => conditionOf(one, 'Ready') === 'False GitOperationFailed'
    await world.until(`${gits}/locked`, isRefused)
    world.apply(secret(password.token))
    await world.until(`${gits}/locked`, (one) => conditionOf(one, 'Ready') === 'True Succeeded')
    assert.ok(!world.serving.log().includes(password.token))
  },
)

test('a service account may do what it may do, and no more', { skip }, async () => {
  const metadata = { name: 'tenant', namespace: 'flux-system' }
  const spec = { path: './one', namePrefix: 'tenant-', serviceAccountName: 'tenant' }
  world.apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata }, kustomization('tenant', spec))
  const isRefused = (one: unknown) => conditionOf(one, 'Ready') === 'False ReconciliationFailed'
  const refused = await world.until(`${sets}/tenant`, isRefused)
  assert.match(refused.status.conditions[0].message, /forbidden|may not|not allowed/i)
  world.apply({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'tenant', namespace: 'default' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'admin' },
    subjects: [{ kind: 'ServiceAccount', ...metadata }],
  })
  await world.until(`${sets}/tenant`, (one) => isReady(one))
  assert.deepEqual((await world.get(`${maps}/tenant-one`)).data, { key: 'value' })
})
