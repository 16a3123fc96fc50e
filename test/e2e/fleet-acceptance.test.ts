/** The acceptance run, all of it real: three kind and three kwok clusters restored at once, and kept so. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { argoPods, type ArgoPods } from '../testbed/argocd-pods.ts'
import { keepAgents } from '../testbed/edge-agent.ts'
import { realFleet, requiredReal, type RealFleet } from '../testbed/fleet-real.ts'
import { summaryIn } from '../testbed/fleet.ts'
import { startGitHttp, type GitHttp } from '../testbed/git-http.ts'
import { gitBench, type Bench as GitBench } from '../testbed/git.ts'
import { backend, get, type Backend } from '../testbed/haproxy.ts'
import { startKube, type TestKube } from '../testbed/kube.ts'
import { portainerStandIn, type PortainerStandIn } from '../testbed/portainer-stand-in.ts'
import { freePort } from '../testbed/port.ts'

const skip = requiredReal()
const kinds = ['dev-a', 'dev-b', 'dev-c']
const kwoks = ['kw-a', 'kw-b', 'kw-c']
let real: RealFleet
let portainer: PortainerStandIn
let management: TestKube
let argo: ArgoPods
let git: GitBench
let http: GitHttp
const backends: Backend[] = []
const ending = new AbortController()
let agents = Promise.resolve()

before(async () => {
  if (skip !== false) return
  portainer = await portainerStandIn()
  process.env['PORTAINER_KEY'] = portainer.key
  management = await startKube({ isBare: true })
  management.kubectl(['create', 'namespace', 'argocd'])
  argo = await argoPods(management)
  git = gitBench()
  git.commit('first', { 'deploy/Chart.yaml': 'name: whoami\n' })
  git.git('--git-dir', git.bare, 'config', 'http.receivepack', 'true')
  http = await startGitHttp({ folder: git.folder })
  real = await realFleet(`portainer:
  url: '${portainer.url}'
  key: { variable: PORTAINER_KEY }
  agent: {}
argocd: { kubeconfig: ${management.kubeconfig} }
git: { url: '${http.origin}/infra.git' }
`)
  // nothing runs pods in these clusters: somebody does what Portainer's agent does first
  agents = keepAgents(portainer, join(real.folder, 'home/fleet/kubeconfigs'), ending.signal)
  await real.fleet('init')
  for (const name of kinds) await add(name, 'kind')
  for (const name of kwoks) {
    // a kwok cluster has no nodes that could serve: somebody answers for it
    backends.push(await backend(name, await add(name, 'kwok')))
  }
})

after(async () => {
  if (skip !== false) return
  ending.abort()
  await agents
  for (const one of backends) await one.close()
  await real.close()
  await http.stop()
  git.remove()
  await argo.close()
  await management.stop()
  await portainer.close()
})

/** What is registered where, by cluster. */
function registered(): Readonly<Record<string, readonly string[]>> {
  const secrets = management.kubectl(['-n', 'argocd', 'get', 'secrets', '-o', 'name'])
  const heads = git.git('--git-dir', git.bare, 'for-each-ref', '--format=%(refname)', 'refs/heads')
  const names = heads.split('\n').map((ref) => ref.replace('refs/heads/', ''))
  return {
    portainer: portainer.endpoints.map(({ Name }) => Name).toSorted(),
    argocd: [...secrets.matchAll(/cluster-(\S+)/g)].map((match) => match[1]!),
    git: names.filter((name) => name !== 'main' && !name.startsWith('archive/')),
  }
}

async function add(name: string, provider: string): Promise<number> {
  const port = await freePort()
  const https = await freePort()
  // without a controller manager no account gets a token
  const more = provider === 'kwok' ? ' --no-argocd' : ''
  const line = `add ${name} --provider ${provider} --http-port ${port} --https-port ${https}${more}`
  const told = await real.fleet(line)
  assert.equal(told.code, 0, told.err)
  return port
}

const regress = 'regress --require kind=3,kwok=3 --log run.log --report docs/TEST_REPORT.md'

test(
  'acceptance 1: three kind and three kwok clusters, all real, with all registrations, are restored at once',
  { skip },
  async () => {
    const { fleet, folder, port, kind, engine } = real
    const told = await fleet(regress)
    assert.equal(told.code, 0, told.out + told.err)
    assert.deepEqual(kind('get', 'clusters').trim().split('\n'), kinds)
    const format = '{{range $name, $_ := .NetworkSettings.Networks}}{{$name}}{{end}}'
    assert.equal(
      engine('inspect', '--format', format, 'dev-a-control-plane').trim(),
      'fleet-shared',
    )
    const verified = JSON.parse((await fleet('verify --json')).out)
    assert.deepEqual(
      verified.records.map((one: { name: string; result: string }) => [one.name, one.result]),
      [...kinds, ...kwoks].map((name) => [name, 'OK']),
    )
    for (const name of kinds) {
      const { text } = await get(port, `whoami.${name}.fleet.test`)
      assert.equal(text.trim(), `${name}-control-plane`)
    }
    for (const name of kwoks) {
      assert.equal((await get(port, `whoami.${name}.fleet.test`)).text, name)
    }
    assert.match(readFileSync(join(folder, 'docs/TEST_REPORT.md'), 'utf8'), /- Status: success/)
    const again = await fleet('reconcile --from-db')
    assert.equal(again.code, 0, again.out)
    for (const item of summaryIn(again.out).values()) assert.equal(item['action'], 'noop')
  },
)

test(
  'a node that was stopped is started, a cluster that was deleted is made, an absent one goes',
  {
    skip,
  },
  async () => {
    const { fleet, kind, engine, sql } = real
    engine('stop', 'dev-a-control-plane')
    kind('delete', 'cluster', '--name', 'dev-b', '--kubeconfig', join(real.folder, 'nobodys'))
    await fleet('rm dev-c')
    assert.equal((await fleet('verify')).code, 10)
    const told = await fleet('reconcile --from-db')
    assert.equal(told.code, 0, told.out + told.err)
    const summary = summaryIn(told.out)
    assert.deepEqual(
      kinds.map((name) => summary.get(name)?.['action']),
      ['start', 'create', 'delete'],
    )
    assert.deepEqual(kind('get', 'clusters').trim().split('\n'), ['dev-a', 'dev-b'])
    assert.deepEqual(sql("select name from clusters where name = 'dev-c'"), [])
    const left = ['dev-a', 'dev-b', ...kwoks]
    assert.deepEqual(registered(), { portainer: left, argocd: ['dev-a', 'dev-b'], git: left })
    assert.equal((await get(real.port, 'whoami.dev-c.fleet.test')).status, 404)
  },
)

test(
  'Docker stopped in the middle of a run: told, nothing lost, and made whole when it is back',
  {
    skip,
  },
  async () => {
    const { fleet, start, docker, engine, sql, kind } = real
    await add('late', 'kind')
    await fleet('rm dev-b')
    const before = sql('select name, desired_state from clusters order by name')
    const run = start('reconcile --from-db --timeout 60s')
    while (!engine('ps', '--format', '{{.Names}}').includes('late-control-plane')) await sleep(20)
    await docker.halt()
    const broken = await run.told
    assert.notEqual(broken.code, 0, broken.out)
    const told = broken.out + broken.err
    assert.match(told, /Docker daemon|docker/i)
    assert.equal(sql("select name from clusters where name = 'late'").length, 1)

    const rows = sql('select name, desired_state from clusters order by name')
    for (const line of ['reconcile --from-db', 'reconcile --prune-missing', 'clean']) {
      const blind = await fleet(line)
      assert.equal(blind.code, 1, `${line}: ${blind.out}${blind.err}`)
      assert.deepEqual(sql('select name, desired_state from clusters order by name'), rows)
    }
    assert.ok(rows.length >= before.length - 1)

    await docker.resume()
    const healed = await fleet('reconcile --from-db')
    assert.equal(healed.code, 0, healed.out + healed.err)
    assert.equal((await fleet('verify')).code, 0)
    assert.deepEqual(kind('get', 'clusters').trim().split('\n'), ['dev-a', 'late'])
  },
)
