/** Applications of every kind that an earlier version made, with its database: today's program changes none of them (`npm run test:upgrade`). */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { dockerAt, type Docker } from '#clients/docker/client.ts'
import { listContainers } from '#clients/docker/container-list.ts'
import { inspectContainer } from '#clients/docker/containers.ts'
import { requiredDocker, startDocker, type TestDocker } from '../testbed/docker.ts'
import { earlierProgram, type EarlierProgram } from '../testbed/earlier-program.ts'
import { fleetBench } from '../testbed/fleet.ts'
import {
  configMap,
  fluxWorld,
  gitRepository,
  isReady,
  kustomization,
  maps,
  sets,
  type Live,
} from '../testbed/flux-world.ts'
import { gitBench } from '../testbed/git.ts'
import { addImage } from '../testbed/image.ts'
import { requiredKube } from '../testbed/kube-tools.ts'
import { required } from '../testbed/packages.ts'
import { startPodman, type TestPodman } from '../testbed/podman.ts'
import { servingOn } from '../testbed/serving.ts'
import { tendOn } from '../testbed/tend.ts'
import { chartFiles, refusals, stackFiles, writesIn } from './upgrade-files.ts'

/** Before there were two answers, kinds in one list, and rules about what reaches the host. */
const commit = '6b15858'

const { signal } = new AbortController()
const skip = requiredDocker() || required('podman')
const skipKube = requiredKube()
let program: EarlierProgram
let docker: TestDocker
let podman: TestPodman

before(async () => {
  program = earlierProgram(commit)
  if (skip !== false) return
  docker = await startDocker()
  await docker.addImage()
  podman = await startPodman()
  await addImage(podman.socket)
})

after(async () => {
  program.remove()
  if (skip !== false) return
  await docker.stop()
  await podman.stop()
})

/** Name to what would show that a container was touched; `data`: what was written before. */
async function standing(client: Docker, written: readonly string[] = []) {
  const all = await listContainers(client, [], signal)
  const found = await Promise.all(
    all.map(async ({ id, name, labels }) => {
      const { State, RestartCount }: Live = await inspectContainer(client, id, signal)
      return [name, { id, labels, started: State.StartedAt, RestartCount }] as const
    }),
  )
  const data = await Promise.all(written.map((name) => writesIn(client, name)))
  return { containers: Object.fromEntries(found), data }
}

for (const [what, engine] of [
  ['a stack on Docker', () => docker],
  ['a stack on Podman', () => podman],
  ['a chart on Podman', () => podman],
] as const) {
  void test(
    `${what}, by hand: nothing is made anew, and what was written is there`,
    { skip },
    async (t) => {
      program.use('earlier')
      const isStack = what.startsWith('a stack')
      const { socket } = engine()
      const shell = tendOn(socket, program.launcher)
      const client = dockerAt({ address: `unix://${socket}` })
      t.after(() => {
        client.close()
        shell.remove()
      })
      const name = isStack ? 'byhand' : 'handchart'
      shell.write(isStack ? stackFiles(name) : chartFiles(name))
      const host = { DOCKER_HOST: `unix://${socket}` }
      const must = async (line: string) => {
        const { code, out, err } = await shell.tend(line, host)
        assert.equal(code, 0, `${line}\n${out}${err}`)
        return out
      }
      const apply = isStack ? `up -f ${name}/compose.yaml -p ${name}` : `upgrade ./${name}`
      await must(isStack ? apply : `install ./${name}`)
      const web = isStack ? `${name}-web-1` : `${name}-web`
      await writesIn(client, web, 'written before the upgrade')
      const was = await standing(client, [web])
      assert.match(was.data[0] ?? '', /written before the upgrade/)

      program.use('today')
      assert.match(await must(apply), /[Nn]othing|0 updated|unchanged/)
      assert.deepEqual(await standing(client, [web]), was)
      assert.match(await must(isStack ? `compose history -p ${name}` : `history ${name}`), /1/)
      await must(isStack ? `down -p ${name}` : `uninstall ${name}`)
    },
  )
}

void test(
  'the service: stacks and charts from Git with its database; new refusals name the line that allows them',
  { skip },
  async (t) => {
    program.use('earlier')
    const git = gitBench()
    const serving = await servingOn({ PATH: process.env['PATH'] }, program.launcher)
    const clients = {
      docker: dockerAt({ address: `unix://${docker.socket}` }),
      podman: dockerAt({ address: `unix://${podman.socket}` }),
    }
    t.after(async () => {
      await serving.remove()
      git.remove()
      for (const client of Object.values(clients)) client.close()
    })
    git.commit('first', {
      ...stackFiles('web'),
      ...chartFiles('shop'),
      ...Object.assign({}, ...refusals.map(({ files }) => files)),
    })
    for (const { before: make } of refusals) await make(clients.docker)
    const declared = (lines: Readonly<Record<string, string>>) => `sources:
  infra: { git: ${git.bare}, ref: main }
defaults: { interval: 2s }
apps:
  - { stack: web, path: web, target: 'unix://${docker.socket}' }
  - { chart: shop, path: shop, target: 'unix://${podman.socket}' }
${refusals.map(({ name }) => `  - { stack: ${name}, path: ${name}, target: 'unix://${docker.socket}'${lines[name] ?? ''} }\n`).join('')}`
    serving.declare(declared({}))
    await serving.start()
    const keys = ['stack:web', 'chart:shop', ...refusals.map(({ name }) => `stack:${name}`)]
    for (const key of keys) await serving.until(key, ({ state }) => state === 'synced')
    await writesIn(clients.docker, 'web-web-1', 'written before the upgrade')
    await writesIn(clients.podman, 'shop-web', 'written before the upgrade')
    const look = async () => ({
      docker: await standing(clients.docker, ['web-web-1']),
      podman: await standing(clients.podman, ['shop-web']),
    })
    const was = await look()
    assert.equal(await serving.stop(), 0)

    program.use('today')
    await serving.start()
    const isWell = (app: Live) => app.state === 'synced' && app.health.state === 'healthy'
    for (const key of ['stack:web', 'chart:shop']) await serving.until(key, isWell)
    const lines: Record<string, string> = {}
    for (const { name, allow } of refusals) {
      const { reason } = await serving.until(`stack:${name}`, ({ state }) => state === 'failed')
      assert.ok(reason.includes(`security: {${allow}}`), `${name}: ${reason}`)
      lines[name] = `, security: {${allow}}`
    }
    assert.deepEqual(await look(), was, 'nothing was touched')
    serving.declare(declared(lines))
    serving.signal('SIGHUP')
    for (const key of keys) await serving.until(key, isWell)
    assert.deepEqual(await look(), was, 'nothing was touched once it was allowed')
    for (const key of keys) {
      const answer = await serving.api(`/api/v1/apps/${encodeURIComponent(key)}/runs`)
      const runs: Live = await answer.json()
      const changing = runs.filter((run: Live) => run.outcome === 'succeeded')
      assert.ok(changing.length >= 1, `${key} lost its history`)
    }
  },
)

void test('a kustomization: no object is written', { skip: skipKube }, async (t) => {
  program.use('earlier')
  const world = await fluxWorld({ program: program.launcher })
  t.after(() => world.stop())
  const first = world.git.commit('first', {
    'apps/a.yaml': configMap('a', 'one'),
    'apps/web.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: default }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: 'web:1' }] }
`,
  })
  world.apply(gitRepository('infra', world.url), kustomization('apps', { path: './apps' }))
  await world.start()
  const before = await world.until(`${sets}/apps`, (one) => isReady(one, first))
  const web = '/apis/apps/v1/namespaces/default/deployments/web'
  const look = async () =>
    Promise.all(
      [`${maps}/a`, web].map(async (path) => {
        const { metadata } = await world.get(path)
        return [metadata.uid, metadata.generation, metadata.labels, metadata.managedFields[0]]
      }),
    )
  const was = await look()
  await world.serving.stop()

  program.use('today')
  await world.start()
  const asked = 'reconcile.fluxcd.io/requestedAt=after-the-upgrade'
  world.kube.kubectl(['annotate', '-n', 'flux-system', 'kustomization', 'apps', asked])
  const handled = (one: Live) =>
    one.status.lastHandledReconcileAt === 'after-the-upgrade' && isReady(one, first)
  const now = await world.until(`${sets}/apps`, handled)
  assert.deepEqual(await look(), was)
  assert.deepEqual(now.status.inventory, before.status.inventory)
})

void test('a fleet: no cluster is made, deleted or restarted', async (t) => {
  program.use('earlier')
  const bench = await fleetBench(program.launcher)
  t.after(() => bench.close())
  for (const line of ['init', 'add dev --provider k3d', 'add uat --provider k3d']) {
    const told = await bench.fleet(line)
    assert.equal(told.code, 0, told.err)
  }
  const made = await bench.fleet('reconcile --from-db')
  assert.equal(made.code, 0, made.out + made.err)
  const rows = bench.sql('select name, provider, http_port, https_port from clusters order by name')
  mkdirSync(join(bench.folder, 'kept'), { recursive: true })
  writeFileSync(join(bench.folder, 'kept/data'), 'written before the upgrade')
  bench.calls()

  program.use('today')
  const seen = await bench.fleet('reconcile --dry-run')
  assert.equal(seen.code, 0, seen.out + seen.err)
  const again = await bench.fleet('reconcile --from-db')
  assert.equal(again.code, 0, again.out + again.err)
  const changing = bench
    .calls()
    .filter((line) => /cluster (create|delete|start|stop|edit)/.test(line))
  assert.deepEqual(changing, [])
  assert.deepEqual(bench.standing(), ['dev', 'uat'])
  const now = bench.sql('select name, provider, http_port, https_port from clusters order by name')
  assert.deepEqual(now, rows)
})
