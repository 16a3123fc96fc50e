/** The ways to a cluster: without HTTP/2, through a proxy, as a pod, in another's name, and where kinds are told group by group. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { kubernetesAt, type Kubernetes } from '#clients/kubernetes/client.ts'
import type { ClusterAccess } from '#clients/kubernetes/cluster-access.ts'
import { accountUser, clustersOf } from '#clients/kubernetes/clusters.ts'
import { discoveryOf } from '#clients/kubernetes/discovery.ts'
import { clusterSurroundings, findCluster } from '#clients/kubernetes/find-cluster.ts'
import { listObjects } from '#clients/kubernetes/list.ts'
import { applyObject } from '#clients/kubernetes/objects.ts'
import { watchObjects } from '#clients/kubernetes/watch.ts'
import { Problem } from '#model/problem.ts'
import { startConnectProxy } from '../testbed/connect-proxy.ts'
import { systemClock } from '../testbed/drive.ts'
import { requiredKube } from '../testbed/kube-tools.ts'
import { startKube, type TestKube } from '../testbed/kube.ts'

const skip = requiredKube()
const { signal } = new AbortController()
let older: TestKube
let kube: TestKube

before(async () => {
  if (skip !== false) return
  older = await startKube({ isBare: true, serverWords: ['--disable-http2-serving'] })
  kube = await startKube({ isBare: true })
})

after(async () => {
  if (skip !== false) return
  await older.stop()
  await kube.stop()
})

function accessTo(which: TestKube): ClusterAccess {
  return findCluster(clusterSurroundings(which.kubeconfig))
}

function open(t: TestContext, access: ClusterAccess): Kubernetes {
  const kubernetes = kubernetesAt(access)
  t.after(() => kubernetes.close())
  return kubernetes
}

/** Many writes at once, a list and a watch: all that the domain needs. */
async function works(kubernetes: Kubernetes, prefix: string): Promise<void> {
  const kind = await discoveryOf(kubernetes).need('v1', 'ConfigMap', signal)
  const end = new AbortController()
  const seen: string[] = []
  const watching = (async () => {
    const watch = { clock: systemClock, signal: end.signal }
    const selection = { namespace: 'default', labels: `of=${prefix}` }
    for await (const event of watchObjects(kubernetes, kind, selection, watch)) {
      if (event.kind === 'listed') for (const one of event.objects) seen.push(JSON.stringify(one))
      else if (event.kind !== 'lost') seen.push(JSON.stringify(event.object))
      if (seen.length >= 40) end.abort()
    }
  })().catch(() => undefined)
  const names = Array.from({ length: 40 }, (_, n) => `${prefix}-${n}`)
  await Promise.all(
    names.map((name) =>
      applyObject(
        kubernetes,
        { kind, namespace: 'default', name },
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { of: prefix } } },
        { signal, manager: 'test' },
      ),
    ),
  )
  const listed = await listObjects(kubernetes, kind, { labels: `of=${prefix}` }, signal)
  assert.equal(listed.objects.length, 40)
  await watching
  assert.ok(seen.length >= 40)
}

test('a server without HTTP/2 is spoken to in HTTP/1.1', { skip }, async (t) => {
  await works(open(t, accessTo(older)), 'plain')
})

test('through a proxy, in either', { skip }, async (t) => {
  const proxy = await startConnectProxy()
  t.after(() => proxy.stop())
  for (const which of [older, kube]) {
    proxy.asked.length = 0
    await works(open(t, { ...accessTo(which), proxy: proxy.url }), 'proxied')
    assert.equal(proxy.asked[0], `127.0.0.1:${which.port}`)
  }
  assert.ok(proxy.asked.length <= 3, 'HTTP/2 needs few lines')
  const stranger = open(t, { ...accessTo(kube), proxy: proxy.url.replace('me:', 'you:') })
  const asked = stranger.ask('GET', '/version', { signal, doing: 'could not ask' })
  await assert.rejects(asked, (error: unknown) => {
    assert.ok(error instanceof Problem)
    assert.match(error.message, /the proxy 127\.0\.0\.1:\d+ refused the way[^]*407/)
    return true
  })
})

test('kinds that are told group by group are the same kinds', { skip }, async (t) => {
  const kubernetes = open(t, accessTo(kube))
  const whole = await discoveryOf(kubernetes).preferred(signal)
  const plain: Kubernetes = {
    ...kubernetes,
    ask: (method, path, ask) =>
      kubernetes.ask(method, path, { ...ask, accept: 'application/json' }),
  }
  const piecemeal = await discoveryOf(plain).preferred(signal)
  const text = (kinds: typeof whole) =>
    kinds
      .filter(({ verbs }) => verbs.length > 0)
      .map((one) => `${one.apiVersion} ${one.kind} ${one.plural} ${one.isNamespaced}`)
      .toSorted()
  assert.deepEqual(text(piecemeal), text(whole))
})

test(
  'as a pod: address from the environment, token and authority from files, the token read anew',
  { skip },
  async (t) => {
    const account = join(kube.root, 'account')
    mkdirSync(account)
    kube.kubectl(['create', 'serviceaccount', 'pod'])
    writeFileSync(join(account, 'ca.crt'), kube.ca)
    writeFileSync(join(account, 'namespace'), 'default\n')
    writeFileSync(join(account, 'token'), 'of yesterday\n')
    const access = findCluster({
      ...clusterSurroundings(),
      environment: {
        KUBERNETES_SERVICE_HOST: '127.0.0.1',
        KUBERNETES_SERVICE_PORT: String(kube.port),
      },
      home: kube.root,
      account,
    })
    const kubernetes = open(t, access)
    const read = () =>
      kubernetes.ask('GET', '/api/v1/namespaces/default/configmaps', {
        signal,
        doing: 'could not read',
      })
    await assert.rejects(read(), /Unauthorized/)
    writeFileSync(join(account, 'token'), kube.kubectl(['create', 'token', 'pod']))
    await assert.rejects(read(), /serviceaccount:default:pod.*cannot list/)
    kube.kubectl([
      'create',
      'clusterrolebinding',
      'pod',
      '--clusterrole=cluster-admin',
      '--serviceaccount=default:pod',
    ])
    // rights are known to the server a moment after they are given
    const may = async () => (await read().catch(() => undefined))?.status === 200
    for (let tries = 0; !(await may()); tries += 1) assert.ok(tries < 500, 'it never may')
  },
)

test(
  'one line for each cluster and name, and a kubeconfig found in a cluster is confined',
  { skip },
  async (t) => {
    const clusters = clustersOf(accessTo(kube))
    t.after(() => clusters.close())
    kube.kubectl(['create', 'serviceaccount', 'tenant'])
    const tenant = accountUser('default', 'tenant')
    assert.equal(clusters.local(tenant), clusters.local(tenant))
    assert.notEqual(clusters.local(tenant).discovery, clusters.local().discovery)
    const list = clusters
      .local(tenant)
      .kubernetes.ask('GET', '/api/v1/namespaces/default/secrets', {
        signal,
        doing: 'could not list',
      })
    await assert.rejects(list, /"system:serviceaccount:default:tenant" cannot list/)
    const text = (more: string) => `apiVersion: v1
kind: Config
current-context: c
contexts: [{ name: c, context: { cluster: c, user: u } }]
clusters: [{ name: c, cluster: { server: '${kube.server}', certificate-authority-data: '${Buffer.from(kube.ca).toString('base64')}' } }]
users: [{ name: u, user: { ${more} } }]
`
    const name = 'Secret default/remote'
    const remote = clusters.remote({ name, text: text(`token: '${kube.token}'`) })
    assert.equal(remote, clusters.remote({ name, text: text(`token: '${kube.token}'`) }))
    const said = await remote.kubernetes.ask('GET', '/version', { signal, doing: 'could not ask' })
    assert.equal(said.status, 200)
    assert.throws(
      () => clusters.remote({ name, text: text('tokenFile: /etc/passwd') }),
      /names a file of this machine/,
    )
    assert.throws(
      () =>
        clusters.remote({
          name,
          text: text('exec: { command: rm, apiVersion: client.authentication.k8s.io/v1 }'),
        }),
      /starts a program/,
    )
  },
)
