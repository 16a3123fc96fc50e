/** Portainer's environments and Git's branches follow the table: made, repaired, removed, and only ours. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, test } from 'node:test'
import { branchRegistration } from '#domains/fleet/registrations/branches.ts'
import { endpointRegistration } from '#domains/fleet/registrations/portainer-endpoints.ts'
import { openAccess } from '#clients/git/access.ts'
import { addressOf } from '#clients/git/address.ts'
import { portainerAt } from '#clients/portainer/client.ts'
import { fleetBench, summaryIn, type FleetBench } from '../testbed/fleet.ts'
import { startGitHttp } from '../testbed/git-http.ts'
import { gitBench } from '../testbed/git.ts'
import { portainerStandIn } from '../testbed/portainer-stand-in.ts'

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})

async function bench(settings: string, ...names: readonly string[]): Promise<FleetBench> {
  const made = await fleetBench()
  endings.push(() => made.close())
  made.write({ 'fleet.yaml': settings })
  assert.equal((await made.fleet('init')).code, 0)
  for (const name of names) {
    assert.equal((await made.fleet(`add ${name} --provider k3d`)).code, 0)
  }
  return made
}

test('acceptance 4, defect 11: Portainer: made, renamed back, removed with the cluster; strangers stay', async () => {
  const portainer = await portainerStandIn()
  endings.push(() => portainer.close())
  const { endpoints, asked } = portainer
  const settings = `portainer: { url: '${portainer.url}', key: { variable: PORTAINER_KEY }, edgeUrl: 'http://edge.test' }\n`
  const { fleet, sql } = await bench(settings, 'dev', 'uat', 'plain')
  const key = { PORTAINER_KEY: portainer.key }
  sql(`update tend_clusters set portainer = 0 where name = 'plain'`)
  const stranger = {
    Id: 900,
    Name: 'dockerhost',
    Type: 1,
    URL: '',
    GroupId: 1,
    TagIds: [],
    EdgeKey: '',
  }
  endpoints.push(stranger)
  const made = await fleet('reconcile --from-db', key)
  assert.equal(made.code, 0, made.out + made.err)
  const names = (): readonly string[] => endpoints.map(({ Name }) => Name).toSorted()
  assert.deepEqual(names(), ['dev', 'dockerhost', 'uat'])

  const dev = endpoints.find(({ Name }) => Name === 'dev')!
  dev.Name = 'renamed'
  // a tag that somebody put there for themselves
  dev.TagIds.push(77)
  assert.equal((await fleet('reconcile --dry-run', key)).code, 3)
  assert.deepEqual(names(), ['dockerhost', 'renamed', 'uat'])
  const repaired = await fleet('reconcile --from-db', key)
  assert.equal(summaryIn(repaired.out).get('dev')?.['action'], 'repair')
  assert.deepEqual(names(), ['dev', 'dockerhost', 'uat'])
  assert.equal(dev.TagIds.length, 3)
  assert.ok(dev.TagIds.includes(77))

  asked.splice(0)
  assert.equal((await fleet('reconcile --from-db', key)).code, 0)
  assert.deepEqual(asked.toSorted(), ['GET /api/endpoints 200', 'GET /api/tags 200'])
  await fleet('rm uat')
  assert.equal((await fleet('reconcile --from-db', key)).code, 0)
  assert.deepEqual(names(), ['dev', 'dockerhost'])
  // a row that another program dropped leaves an orphan, which carries our tag
  sql(`delete from clusters where name = 'dev'`)
  const orphan = await fleet('reconcile --from-db', key)
  assert.equal(summaryIn(orphan.out).get('dev')?.['result'], 'deleted')
  assert.deepEqual(names(), ['dockerhost'])
})

test('acceptance 22: Portainer refuses in every way: told, retried where that may help, and nobody else waits', async () => {
  const portainer = await portainerStandIn()
  endings.push(() => portainer.close())
  const settings = `portainer: { url: '${portainer.url}', password: { variable: PORTAINER_PASSWORD } }\n`
  const { fleet, standing } = await bench(settings, 'dev')
  const wrong = await fleet('reconcile --from-db', { PORTAINER_PASSWORD: 'wrong' })
  assert.equal(wrong.code, 1)
  assert.match(wrong.out, /Unauthorized \(422\)/)
  assert.deepEqual(standing(), ['dev'], 'the cluster is made all the same')
  const right = { PORTAINER_PASSWORD: 'a-long-password' }
  for (const status of [401, 500]) {
    portainer.answer('/api/endpoints', status)
    const refused = await fleet('reconcile --from-db', right)
    assert.equal(refused.code, 1)
    assert.match(refused.out, new RegExp(`\\(${status}\\)`))
  }
  portainer.answer('/api/endpoints', undefined)
  portainer.endpoints.push({
    Id: 901,
    Name: 'dev',
    Type: 4,
    URL: 'x',
    GroupId: 1,
    TagIds: [],
    EdgeKey: '',
  })
  const taken = await fleet('reconcile --from-db', right)
  assert.equal(taken.code, 1)
  assert.match(taken.out, /Name is not unique \(409\)/)
  assert.equal(portainer.endpoints.length, 1, "a stranger's is never taken over")
  portainer.endpoints.splice(0)
  assert.equal((await fleet('reconcile --from-db', right)).code, 0)
  const unset = await fleet('reconcile --from-db')
  assert.equal(unset.code, 2)
  assert.match(unset.err, /PORTAINER_PASSWORD.*not set/)
})

test('Portainer: clusters that are ready at the same moment are registered side by side', async () => {
  const portainer = await portainerStandIn()
  endings.push(() => portainer.close())
  const url = URL.parse(portainer.url)!
  const client = portainerAt({ url, ca: undefined, access: { kind: 'key', key: portainer.key } })
  endings.push(() => client.close())
  const registration = endpointRegistration({
    portainer: client,
    edgeUrl: 'http://edge.test',
    group: 1,
    owner: 'tend:fleet:lab',
    fleet: 'lab',
    isWanted: () => true,
    // without agents nobody goes into clusters
    connections: {} as never,
    agent: undefined,
    hasAgent: false,
  })
  const names = ['dev', 'prod', 'uat']
  const { signal } = new AbortController()
  const spec = (name: string) => ({ name, url: 'http://edge.test', group: 1 })
  await Promise.all(names.map((name) => registration.put(name, spec(name), { signal } as never)))
  assert.deepEqual([...(await registration.list(new Set(), signal)).keys()].toSorted(), names)
})

test('a row whose registration could not be removed with its cluster goes with the next run that can', async () => {
  const portainer = await portainerStandIn()
  endings.push(() => portainer.close())
  const settings = `portainer: { url: '${portainer.url}', key: { variable: PORTAINER_KEY } }\n`
  const { fleet, sql, standing } = await bench(settings, 'dev', 'uat')
  const key = { PORTAINER_KEY: portainer.key }
  assert.equal((await fleet('reconcile --from-db', key)).code, 0)
  await fleet('rm uat')
  portainer.answer('/api/endpoints/', 500)
  const cut = await fleet('reconcile --from-db', key)
  assert.equal(cut.code, 1, cut.out)
  assert.deepEqual(standing(), ['dev'])
  assert.equal(sql("select * from clusters where name = 'uat'").length, 1)
  portainer.answer('/api/endpoints/', undefined)
  const ended = await fleet('reconcile --from-db', key)
  assert.equal(ended.code, 0, ended.out)
  assert.equal(sql("select * from clusters where name = 'uat'").length, 0)
  assert.deepEqual(
    portainer.endpoints.map(({ Name }) => Name),
    ['dev'],
  )
})

test('defect 16: Git: a branch for each, put aside when its cluster goes; protected and strange ones stay', async () => {
  const git = gitBench()
  endings.push(() => git.remove())
  const first = git.commit('first', { 'deploy/Chart.yaml': 'name: whoami\n' })
  git.git('push', '-q', 'origin', 'HEAD:refs/heads/feature-x', 'HEAD:refs/heads/develop')
  git.git('--git-dir', git.bare, 'config', 'http.receivepack', 'true')
  const http = await startGitHttp({
    folder: git.folder,
    password: { user: 'git', token: 's3cret-token' },
  })
  endings.push(() => http.stop())
  const url = `${http.origin}/infra.git`
  const { fleet, folder, write } = await bench(
    `git: { url: '${url}', token: { file: ${join('/nonexistent')} } }\n`,
    'dev',
    'old',
  )
  write({
    token: 's3cret-token\n',
    'fleet.yaml': `git: { url: '${url}', token: { file: ${join(folder, 'token')} } }\n`,
  })
  const branches = (): readonly string[] =>
    git
      .git('--git-dir', git.bare, 'for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads')
      .split('\n')
  const made = await fleet('reconcile --from-db')
  assert.equal(made.code, 0, made.out + made.err)
  assert.deepEqual(branches(), [
    `refs/heads/dev ${first}`,
    `refs/heads/develop ${first}`,
    `refs/heads/feature-x ${first}`,
    `refs/heads/main ${first}`,
    `refs/heads/old ${first}`,
  ])
  const second = git.commit('second', { 'deploy/values.yaml': 'a: 1\n' })
  git.git('push', '-q', '--force', 'origin', `HEAD:refs/heads/old`)
  await fleet('rm old')
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  const after = branches()
  assert.ok(!after.some((line) => line.startsWith('refs/heads/old ')))
  assert.match(after[0] ?? '', new RegExp(`^refs/heads/archive/old-\\d{8}T\\d{6}Z ${second}$`))
  assert.ok(after.includes(`refs/heads/feature-x ${first}`))
  git.git('push', '-q', 'origin', ':refs/heads/dev')
  const again = await fleet('reconcile --from-db')
  assert.equal(summaryIn(again.out).get('dev')?.['action'], 'repair')
  assert.ok(branches().includes(`refs/heads/dev ${second}`))
  // cleaning leaves what people pushed to the branch of an environment that stays declared
  git.git('push', '-q', 'origin', `+${first}:refs/heads/dev`)
  const kept = branches()
  assert.equal((await fleet('clean')).code, 0)
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  assert.deepEqual(branches(), kept)
  // a branch that is only called like a cluster without one is nobody's business
  git.git('push', '-q', 'origin', `HEAD:refs/heads/plain`)
  assert.equal((await fleet('add plain --provider k3d --no-git')).code, 0)
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  await fleet('rm plain')
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  assert.ok(branches().includes(`refs/heads/plain ${second}`))
  http.answer(500)
  const down = await fleet('reconcile --from-db')
  assert.equal(down.code, 1)
  assert.ok(!`${down.out}${down.err}`.includes('s3cret'))
})

test('Git: branches of many clusters are made side by side, from a folder that nobody made before', async () => {
  const git = gitBench()
  endings.push(() => git.remove())
  git.commit('first', { a: '1\n' })
  const address = addressOf(git.bare)
  const around = process.env
  const registration = branchRegistration({
    remote: {
      git: { around },
      address,
      access: openAccess(address, undefined, around),
      settingsFile: '/dev/null',
    },
    folder: join(git.folder, 'own/git'),
    base: 'main',
    reserved: new Set(),
    fleet: 'f',
    now: () => 0,
    isWanted: () => true,
    hasBranch: () => true,
  })
  const names = Array.from({ length: 8 }, (_, at) => `env-${at}`)
  const { signal } = new AbortController()
  await Promise.all(names.map((name) => registration.put(name, {}, { signal } as never)))
  const made = await registration.list(new Set(names), signal)
  assert.deepEqual([...made.keys()], names)
  // what a machine that lost its power left there stands in nobody's way
  writeFileSync(join(git.folder, 'own/git/shallow.lock'), '')
  await registration.put('late', {}, { signal } as never)
  assert.ok((await registration.list(new Set(['late']), signal)).has('late'))
})
