/** Argo CD knows the clusters of the table: real API servers, a real account and token, rotated when the cluster is another. */
import assert from 'node:assert/strict'
import { request } from 'node:https'
import { afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { argoCrds } from '../testbed/argocd-crds.ts'
import { argoPods } from '../testbed/argocd-pods.ts'
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
    const strange = ['-n', 'argocd', 'create', 'secret', 'generic', 'cluster-shared']
    management.kubectl([...strange, '--from-literal=server=theirs'])
    const refused = await fleet('reconcile --from-db --timeout 30s')
    assert.equal(refused.code, 1)
    assert.match(
      refused.out,
      /secrets\/cluster-shared is there already, and it is not this fleet's/,
    )
    assert.match(refused.out, /kubectl -n argocd label secrets cluster-shared tend-fleet=fleet/)
    const kept = management.kubectl([
      '-n',
      'argocd',
      'get',
      'secret',
      'cluster-shared',
      '-o',
      'json',
    ])
    assert.equal(JSON.parse(kept).data.server, Buffer.from('theirs').toString('base64'))
    management.kubectl(['-n', 'argocd', 'delete', 'secret', 'cluster-shared'])
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

    // where it is reached from Argo CD is part of it, and so is the label that the ApplicationSet looks for
    write({
      'fleet.yaml': `argocd: { kubeconfig: ${management.kubeconfig}, host: moved.internal }
clusters: { shared: { kubeconfig: ${target.kubeconfig}, address: 10.0.0.7 } }
`,
    })
    management.kubectl(['-n', 'argocd', 'label', 'secret', 'cluster-shared', 'type-'])
    const moved = await fleet('reconcile --from-db --timeout 30s')
    assert.equal(summaryIn(moved.out).get('shared')?.['action'], 'repair')
    const server = Buffer.from(secret().data['server'] ?? '', 'base64').toString()
    assert.equal(server, `https://moved.internal:${target.port}`)
    assert.equal(secret().metadata['labels']?.['type'], 'business')

    // another cluster under the same name, though the old one still answers: its token and authority are others
    const other = await kube()
    other.kubectl(['-n', 'kube-system', 'create', 'serviceaccount', 'argocd-manager'])
    write({
      'fleet.yaml': `argocd: { kubeconfig: ${management.kubeconfig}, host: host.k3d.internal }
clusters: { shared: { kubeconfig: ${other.kubeconfig}, address: 10.0.0.7 } }
`,
    })
    const rotated = await fleet('reconcile --from-db --timeout 30s')
    assert.equal(rotated.code, 0, rotated.out + rotated.err)
    assert.match(
      Buffer.from(secret().data['server'] ?? '', 'base64').toString(),
      new RegExp(`:${other.port}$`),
    )

    assert.match((await fleet('rm shared')).out, /the cluster itself stays/)
    const letGo = await fleet('reconcile --from-db --timeout 30s')
    assert.equal(letGo.code, 0, letGo.out)
    assert.equal(summaryIn(letGo.out).get('shared')?.['message'], 'let go: the cluster stays')
    const left = management.kubectl(['-n', 'argocd', 'get', 'secrets', '-o', 'name'])
    assert.equal(left.trim(), 'secret/cluster-strange')
    // an account that others made there under the same name stays theirs
    const inside = other.kubectl([
      '-n',
      'kube-system',
      'get',
      'serviceaccounts,secrets',
      '-o',
      'name',
    ])
    assert.match(inside, /serviceaccount\/argocd-manager$/m)
    assert.doesNotMatch(inside, /secret\/argocd-manager-token/)
    assert.doesNotMatch(other.kubectl(['get', 'clusterroles', '-o', 'name']), /argocd-manager/)
  },
)

test(
  'defect 15: the ApplicationSet is kept by server-side apply, strictly checked by Argo CD’s own definitions; an outage deletes nothing',
  {
    skip,
  },
  async () => {
    const management = await kube()
    const kubectl = (words: readonly string[], input?: string) => management.kubectl(words, input)
    kubectl(['create', 'namespace', 'argocd'])
    const bench = await fleetBench()
    endings.push(() => bench.close())
    const { fleet, write, stopCluster, answer } = bench
    const settings = (path: string): void =>
      write({
        'fleet.yaml': `argocd:
  kubeconfig: ${management.kubeconfig}
  applicationSet: { repository: 'https://git.test/infra.git', path: ${path}, parameters: { host: '{{.name}}.fleet.test' } }
clusters: { shared: { kubeconfig: ${management.kubeconfig} } }
`,
      })
    settings('deploy')
    await fleet('init')
    await fleet('add shared --provider existing')
    const early = await fleet('bootstrap')
    assert.equal(early.code, 1)
    assert.match(early.out, /management +failed +the management cluster lacks Argo CD's kinds/)
    const without = await fleet('reconcile --from-db --timeout 30s')
    assert.equal(without.code, 1)
    assert.match(without.out, /Argo CD is not installed/)
    for (const file of argoCrds()) kubectl(['apply', '--server-side', '-f', file])
    const kinds = (): string => kubectl(['api-resources', '--cached=false', '-o', 'name'])
    while (!/applications\.argo[\s\S]*applicationsets\.argo/.test(kinds())) await sleep(100)

    assert.match((await fleet('bootstrap')).out, /management +ok +https:\S+ is ready/)
    const made = await fleet('reconcile --from-db --timeout 30s')
    assert.equal(made.code, 0, made.out + made.err)
    const set = () =>
      JSON.parse(kubectl(['-n', 'argocd', 'get', 'applicationset', 'whoami', '-o', 'json']))
    const { spec } = set()
    assert.deepEqual(spec.generators, [
      {
        clusters: {
          selector: {
            matchLabels: {
              'argocd.argoproj.io/secret-type': 'cluster',
              'tend-fleet': 'fleet',
              type: 'business',
            },
          },
        },
      },
    ])
    assert.deepEqual(spec.syncPolicy, {
      applicationsSync: 'create-update',
      preserveResourcesOnDeletion: true,
    })
    assert.equal(spec.template.spec.source.targetRevision, '{{.name}}')
    assert.equal((await fleet('reconcile --dry-run')).code, 0, 'nothing is left to do')

    // somebody turns the safety off, and a second generator in
    const patch = '{"spec":{"syncPolicy":{"preserveResourcesOnDeletion":false}}}'
    kubectl(['-n', 'argocd', 'patch', 'applicationset', 'whoami', '--type=merge', '-p', patch])
    assert.equal((await fleet('reconcile --dry-run')).code, 3)
    assert.equal((await fleet('reconcile --from-db')).code, 0)
    assert.equal(set().spec.syncPolicy.preserveResourcesOnDeletion, true)
    settings('charts/whoami')
    assert.equal((await fleet('reconcile --from-db')).code, 0)
    assert.equal(set().spec.template.spec.source.path, 'charts/whoami')

    // a cluster that does not answer keeps its Secret: nothing that Argo CD goes by is taken away
    await fleet('add flaky --provider k3d --no-argocd')
    assert.equal((await fleet('reconcile --from-db')).code, 0)
    stopCluster('flaky')
    answer('flaky', 500)
    await fleet('reconcile --from-db --timeout 3s')
    const secrets = kubectl(['-n', 'argocd', 'get', 'secrets', '-o', 'name'])
    assert.match(secrets, /cluster-shared/)

    // every declared cluster has its Application, which is Argo CD's to make
    const covered = /^Argo CD application of each cluster +(.*)$/m
    assert.match(
      covered.exec((await fleet('validate')).out)?.[1] ?? '',
      /^failed +Argo CD has made no whoami-shared yet$/,
    )

    // Applications of clusters that are gone are taken away, those of others are not
    for (const [env, fleetName] of [
      ['gone', 'fleet'],
      ['shared', 'fleet'],
      ['other', 'other'],
    ] as const) {
      kubectl(['create', '-f', '-'], application(env, fleetName))
    }
    assert.equal((await fleet('reconcile --from-db --timeout 3s')).code === 0, false, 'flaky fails')
    const left = kubectl(['-n', 'argocd', 'get', 'applications', '-o', 'name'])
    assert.deepEqual(left.trim().split('\n'), [
      'application.argoproj.io/whoami-other',
      'application.argoproj.io/whoami-shared',
    ])
    assert.match(covered.exec((await fleet('validate')).out)?.[1] ?? '', /^ok/)
  },
)

test(
  'the way is tried from inside, and a token that the cluster no longer takes is given anew',
  { skip },
  async () => {
    const both = await kube()
    const kubectl = (words: readonly string[]) => both.kubectl(words)
    kubectl(['create', 'namespace', 'argocd'])
    const bench = await fleetBench()
    endings.push(() => bench.close())
    const { fleet, write } = bench
    const settings = (host: string): void =>
      write({
        'fleet.yaml': `argocd: { kubeconfig: ${both.kubeconfig}${host} }
clusters: { shared: { kubeconfig: ${both.kubeconfig} } }
`,
      })
    await fleet('init')
    await fleet('add shared --provider existing')
    const pods = await argoPods(both)
    endings.push(() => pods.close())
    const secrets = (): string => kubectl(['-n', 'argocd', 'get', 'secrets', '-o', 'name'])
    // its API server listens on 127.0.0.1 alone
    settings(', host: 127.0.0.9')
    const refused = await fleet('reconcile --from-db --timeout 30s')
    assert.equal(refused.code, 1, refused.out)
    const words = `Argo CD can't reach shared at https://127\\.0\\.0\\.9:${both.port}: Connection refused`
    assert.match(refused.out, new RegExp(words))
    assert.equal(secrets(), '')
    settings(', host: nowhere.invalid')
    assert.match(
      (await fleet('reconcile --from-db --timeout 30s')).out,
      /can't reach shared at https:\/\/nowhere\.invalid:\d+: (Name or service not known|Temporary failure in name resolution)/,
    )
    settings('')
    const reached = await fleet('reconcile --from-db --timeout 30s')
    assert.equal(reached.code, 0, reached.out + reached.err)
    assert.equal(secrets().trim(), 'secret/cluster-shared')
    assert.deepEqual(pods.said.at(-1), '0 reached\n')
    const way = /^ways from Argo CD +(.*)$/m
    assert.match(way.exec((await fleet('validate')).out)?.[1] ?? '', /^ok +it reaches all clusters/)
    pods.leave()
    assert.match(
      way.exec((await fleet('validate')).out)?.[1] ?? '',
      /^failed +nobody knows whether Argo CD reaches shared at \S+: no pod of Argo CD runs in argocd/,
    )
    assert.doesNotMatch(kubectl(['-n', 'argocd', 'get', 'pods', '-o', 'name']), /tend-reach/)

    const token = (): string => {
      const told = kubectl(['-n', 'argocd', 'get', 'secret', 'cluster-shared', '-o', 'json'])
      const { data } = JSON.parse(told)
      return JSON.parse(Buffer.from(data.config, 'base64').toString()).bearerToken
    }
    const before = token()
    kubectl(['-n', 'kube-system', 'delete', 'serviceaccount', 'argocd-manager'])
    while ((await asked(both, before)) !== 401) await sleep(100)
    const told = await fleet('reconcile --from-db --timeout 60s')
    assert.equal(told.code, 0, told.out + told.err)
    assert.equal(summaryIn(told.out).get('shared')?.['action'], 'repair')
    assert.match(told.out, /its token is stale/)
    assert.equal(await asked(both, token()), 200)
    const patch = JSON.stringify({ stringData: { server: 'https://elsewhere.test' } })
    kubectl(['-n', 'argocd', 'patch', 'secret', 'cluster-shared', '--type=merge', '-p', patch])
    assert.match((await fleet('reconcile --from-db')).out, /somebody changed it/)
    assert.equal((await fleet('reconcile --dry-run')).code, 0)

    await fleet('rm shared')
    assert.equal((await fleet('reconcile --from-db')).code, 0)
    const accounts = kubectl(['-n', 'kube-system', 'get', 'serviceaccounts', '-o', 'name'])
    assert.doesNotMatch(accounts, /argocd-manager/)
  },
)

function application(env: string, fleetName: string): string {
  return JSON.stringify({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name: `whoami-${env}`,
      namespace: 'argocd',
      labels: { 'tend-fleet': fleetName, env },
    },
    spec: {
      project: 'default',
      source: { repoURL: 'https://git.test/infra.git', path: 'deploy' },
      destination: { name: env, namespace: 'whoami' },
    },
  })
}

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

test(
  'a cluster whose API server listens on loopback alone is told to be out of reach, with the way out',
  { skip },
  async () => {
    const management = await kube()
    management.kubectl(['create', 'namespace', 'argocd'])
    const bench = await fleetBench()
    endings.push(() => bench.close())
    const { fleet, write } = bench
    write({
      'fleet.yaml': `argocd: { kubeconfig: ${management.kubeconfig}, host: host.k3d.internal }\n`,
    })
    await fleet('init')
    assert.equal((await fleet('add dev --provider k3d')).code, 0)
    const ran = await fleet('reconcile --from-db --timeout 30s')
    assert.equal(ran.code, 1, ran.out)
    assert.match(
      ran.out,
      /Argo CD can't reach dev at host\.k3d\.internal: its API server listens on 127\.0\.0\.1/,
    )
    const set = await fleet('set dev api_address=0.0.0.0')
    assert.equal(set.code, 0, set.err)
    const drifted = await fleet('verify')
    assert.equal(drifted.code, 11)
    assert.match(drifted.out, /apiAddress 127\.0\.0\.1 → 0\.0\.0\.0/)
    const again = await fleet('reconcile --from-db --recreate --timeout 30s')
    assert.doesNotMatch(again.out, /can't reach/)
    const after = await fleet('verify')
    assert.equal(after.code, 0, after.out)
  },
)
