/** From an empty cluster to one that Tend can tend: the kinds alone, or Tend itself, and what is said on the way. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gitRepository, kustomization } from '../testbed/flux-world.ts'
import { controlPlane, requiredKube } from '../testbed/kube-tools.ts'
import { startKube, type TestKube } from '../testbed/kube.ts'
import { servingOn, type Serving } from '../testbed/serving.ts'

const skip = requiredKube([...controlPlane])
let kube: TestKube
let serving: Serving

before(async () => {
  if (skip !== false) return
  kube = await startKube()
  serving = await servingOn({ HOME: kube.root, KUBECONFIG: kube.kubeconfig })
})

after(async () => {
  if (skip !== false) return
  await serving.remove()
  await kube.stop()
})

const lease = '/apis/coordination.k8s.io/v1/namespaces/flux-system/leases/tend'

test(
  'without the kinds everything says how to have them, and nothing is held',
  { skip },
  async () => {
    const refused = await serving.tend('serve --kube')
    assert.equal(refused.code, 2, refused.out)
    assert.match(refused.err, /tend kube install --kinds/)
    assert.equal((await kube.ask('GET', lease)).status, 404)
    const got = await serving.tend('get kustomizations')
    assert.match(got.err, /tend kube install/)
    assert.match((await serving.tend('kube check')).out, /✗ repositories: .*tend kube install/)
  },
)

test('the kinds alone are enough for a service outside; names are told', { skip }, async () => {
  const installed = await serving.tend('kube install --kinds')
  assert.equal(installed.code, 0, installed.err)
  assert.doesNotMatch(installed.out, /Deployment|ServiceAccount/)
  const items = [gitRepository('infra', 'http://127.0.0.1:1/none.git'), kustomization('apps')]
  kube.kubectl(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
  const mistyped = await serving.tend('get kustomizations aps')
  assert.equal(mistyped.code, 2, mistyped.out)
  assert.match(mistyped.err, /no Kustomization "aps" in flux-system[^]*did you mean apps\?/)
  const cousin = await serving.tend('get gitrepositories')
  assert.match(cousin.out, /infra/)
})

test(
  'an image that nobody has is warned of, and the pod that waits for it told',
  { skip },
  async () => {
    const printed = await serving.tend('kube install --export')
    assert.doesNotMatch(printed.out, /[&*]a\d+\b/)
    assert.doesNotMatch(printed.out, /^kind: Secret$/m)
    assert.match(printed.out, /^# kubectl -n flux-system create secret generic tend-token /m)
    assert.equal((await serving.tend('kube install --export')).out, printed.out)
    kube.kubectl(['apply', '--dry-run=server', '-f', '-'], printed.out)
    const installed = await serving.tend('kube install')
    assert.equal(installed.code, 0, installed.err)
    assert.match(installed.err, /Warning: the Deployment runs tend:latest/)
    const checked = await serving.tend('kube check')
    assert.match(checked.out, /✗ controller: .*Deployment flux-system\/tend is there: /)
  },
)

test(
  'the namespace, the rights of people and the pod are as an administrator wants them',
  { skip },
  async () => {
    const installed = await serving.tend('kube install')
    assert.equal(installed.code, 0, installed.err)
    const pods = kube.kubectl(['get', 'deployment', '-n', 'flux-system', 'tend', '-o', 'json'])
    const { spec } = JSON.parse(pods).spec.template
    assert.equal(spec.priorityClassName, 'tend')
    const [tmp] = spec.volumes.filter((one: { name: string }) => one.name === 'tmp')
    assert.equal(tmp.emptyDir.sizeLimit, '128Mi')
    kube.kubectl(['get', 'networkpolicy', '-n', 'flux-system', 'tend'])
    // the pod itself is within what the namespace warns of
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'same', namespace: 'flux-system' },
      spec,
    }
    const answer = await kube.ask('POST', '/api/v1/namespaces/flux-system/pods?dryRun=All', pod)
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    const reaching = { ...pod, spec: { ...spec, hostNetwork: true } }
    const refused = await kube.ask(
      'POST',
      '/api/v1/namespaces/flux-system/pods?dryRun=All',
      reaching,
    )
    assert.equal(refused.status, 403, JSON.stringify(refused.body))
  },
)

test(
  'who may see or change a namespace may do so with the kinds, where accounts bound them',
  { skip },
  async () => {
    kube.kubectl(['create', 'namespace', 'team'])
    for (const role of ['view', 'edit']) {
      kube.kubectl([
        'create',
        'rolebinding',
        role,
        '-n',
        'team',
        `--clusterrole=${role}`,
        `--user=${role}er`,
      ])
    }
    const may = (who: string, verb: string) => {
      try {
        const words = ['auth', 'can-i', verb, 'kustomizations.kustomize.toolkit.fluxcd.io']
        return kube.kubectl([...words, '-n', 'team', `--as=${who}er`]).trim()
      } catch {
        return 'no'
      }
    }
    const until = async (isSo: () => boolean) => {
      for (let tries = 0; tries < 100 && !isSo(); tries += 1) await sleep(200)
    }
    await until(() => may('view', 'list') === 'yes')
    const rights = () => [
      may('view', 'list'),
      may('view', 'create'),
      may('edit', 'list'),
      may('edit', 'create'),
    ]
    assert.deepEqual(rights(), ['yes', 'no', 'yes', 'no'])
    assert.equal((await serving.tend('kube install --kinds --tenants')).code, 0)
    await until(() => may('edit', 'create') === 'yes')
    assert.deepEqual(rights(), ['yes', 'no', 'yes', 'yes'])
  },
)

test(
  'an installation is made one for tenants, and back, without a word of complaint',
  { skip },
  async () => {
    const roleOf = () =>
      kube.kubectl(['get', 'clusterrolebinding', 'tend', '-o', 'jsonpath={.roleRef.name}'])
    for (const [words, role] of [
      ['', 'cluster-admin'],
      [' --tenants', 'tend'],
      ['', 'cluster-admin'],
    ] as const) {
      const installed = await serving.tend(`kube install --image tend:test${words}`)
      assert.equal(installed.code, 0, installed.err)
      assert.equal(roleOf(), role)
    }
  },
)

test('kubectl explains every field', { skip }, async () => {
  for (const path of [
    'kustomization.spec',
    'kustomization.status',
    'gitrepository.spec',
    'gitrepository.status',
  ]) {
    const group = path.startsWith('git') ? 'source' : 'kustomize'
    const text = kube.kubectl(['explain', path, `--api-version=${group}.toolkit.fluxcd.io/v1`])
    assert.doesNotMatch(text, /<no description>/, path)
    assert.match(text, /What is (wanted|so)\./)
  }
})
