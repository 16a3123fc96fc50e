/** Argo CD knows the clusters of the table: real API servers, a real account and token, rotated when the cluster is another. */
import assert from 'node:assert/strict'
import { request } from 'node:https'
import { afterEach, test } from 'node:test'
import { fleetBench, summaryIn } from '../testbed/fleet.ts'
import { requiredKube } from '../testbed/kube-tools.ts'
import { startKube, type TestKube } from '../testbed/kube.ts'

const skip = requiredKube([
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kwok',
  'kubectl',
])
const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})

async function kube(): Promise<TestKube> {
  const made = await startKube()
  endings.push(() => made.stop())
  return made
}

test(
  'a cluster of others is registered in Argo CD, repaired, and gone with its row',
  { skip },
  async () => {
    const [management, target] = [await kube(), await kube()]
    management.kubectl(['create', 'namespace', 'argocd'])
    management.kubectl(['-n', 'argocd', 'create', 'secret', 'generic', 'cluster-strange'])
    const bench = await fleetBench()
    endings.push(() => bench.close())
    const { fleet, write } = bench
    write({
      'fleet.yaml': `argocd: { kubeconfig: ${management.kubeconfig}, host: host.k3d.internal }
clusters: { shared: { kubeconfig: ${target.kubeconfig}, address: 10.0.0.7 } }
`,
    })
    await fleet('init')
    assert.equal((await fleet('add shared --provider existing')).code, 0)
    const made = await fleet('reconcile --from-db --timeout 30s')
    assert.equal(made.code, 0, made.out + made.err)
    const secret = (): {
      metadata: Record<string, Record<string, string>>
      data: Record<string, string>
    } =>
      JSON.parse(
        management.kubectl(['-n', 'argocd', 'get', 'secret', 'cluster-shared', '-o', 'json']),
      )
    const { metadata, data } = secret()
    assert.equal(metadata['labels']?.['argocd.argoproj.io/secret-type'], 'cluster')
    assert.equal(metadata['labels']?.['provider'], 'existing')
    const text = (key: string): string => Buffer.from(data[key] ?? '', 'base64').toString()
    assert.match(text('server'), new RegExp(`^https://host.k3d.internal:${target.port}$`))
    const config = JSON.parse(text('config'))
    assert.deepEqual(config.tlsClientConfig, {
      insecure: false,
      caData: Buffer.from(target.ca).toString('base64'),
      serverName: '127.0.0.1',
    })
    assert.equal(await asked(target, config.bearerToken), 200)
    assert.equal(await asked(target, 'wrong'), 401)
    assert.ok(!`${made.out}${made.err}`.includes(config.bearerToken))

    const quiet = await fleet('reconcile --from-db --timeout 30s')
    assert.equal(summaryIn(quiet.out).get('shared')?.['action'], 'noop')
    management.kubectl([
      '-n',
      'argocd',
      'label',
      'secret',
      'cluster-shared',
      'argocd.argoproj.io/secret-type-',
    ])
    const repaired = await fleet('reconcile --from-db --timeout 30s')
    assert.equal(summaryIn(repaired.out).get('shared')?.['action'], 'repair')
    assert.equal(secret().metadata['labels']?.['argocd.argoproj.io/secret-type'], 'cluster')

    // another cluster under the same name: its token and authority are others
    const other = await kube()
    write({
      'fleet.yaml': `argocd: { kubeconfig: ${management.kubeconfig}, host: host.k3d.internal }
clusters: { shared: { kubeconfig: ${other.kubeconfig}, address: 10.0.0.7 } }
`,
    })
    await target.stop()
    const rotated = await fleet('reconcile --from-db --timeout 30s')
    assert.equal(rotated.code, 0, rotated.out + rotated.err)
    assert.match(
      Buffer.from(secret().data['server'] ?? '', 'base64').toString(),
      new RegExp(`:${other.port}$`),
    )

    await fleet('rm shared')
    assert.equal((await fleet('reconcile --from-db --timeout 30s')).code, 0)
    const left = management.kubectl(['-n', 'argocd', 'get', 'secrets', '-o', 'name'])
    assert.equal(left.trim(), 'secret/cluster-strange')
  },
)

/** The status of a call with this token alone. */
function asked({ port, ca }: TestKube, token: string): Promise<number> {
  return new Promise((done, fail) => {
    const headers = { authorization: `Bearer ${token}` }
    const path = '/api/v1/namespaces'
    const call = request({ host: '127.0.0.1', port, path, ca, headers }, (answer) => {
      answer.resume()
      done(answer.statusCode ?? 0)
    })
    call.on('error', fail)
    call.end()
  })
}
