/** One application reaches nothing of another: volumes, networks, containers; only what the operator lists as shared. */
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as moment } from 'node:timers/promises'
import { listContainers } from '#clients/docker/container-list.ts'
import { dockerAt, type Docker } from '#clients/docker/client.ts'
import { dockerEngine } from '#clients/docker/container-engine.ts'
import { execIn } from '#clients/docker/exec.ts'
import { denyAll } from '#model/policy.ts'
import type { AppStatus } from '#model/service.ts'
import { fakeRepository } from '../fake/repository.ts'
import { bothEngines } from '../testbed/both-engines.ts'
import { busybox } from '../testbed/image.ts'
import { serve, stackOf, usualDeclarations } from '../testbed/serve.ts'

const never = new AbortController().signal

function web(more: string): string {
  return `services:
  web:
    image: ${busybox}
    command: sleep 1000
    stop_grace_period: 0s
${more}`
}

function turned(other: string, variable: string): string {
  return web(`    environment: { ${variable} }
  other:
    image: ${busybox}
    command: sleep 1000
    stop_grace_period: 0s
    container_name: ${other}
`)
}

function isOver({ state }: AppStatus): boolean {
  return state === 'failed' || state === 'synced'
}

/** What the attacker's file says, and what it is told. */
const attacks: Readonly<Record<string, readonly [string, RegExp]>> = {
  volume: [
    '    volumes: ["vol:/v"]\nvolumes: { vol: { external: true, name: victim_data } }\n',
    /the external volume victim_data is denied .*shared: \[volume\/victim_data\]/,
  ],
  named: [
    '    volumes: ["vol:/v"]\nvolumes: { vol: { name: victim_data } }\n',
    /victim_data is there/,
  ],
  path: [
    '    volumes: ["vol:/v"]\nvolumes: { vol: { name: /etc } }\n',
    /a volume named \/etc is denied/,
  ],
  network: [
    '    networks: [n]\nnetworks: { n: { external: true, name: victim_default } }\n',
    /the external network victim_default is denied .*shared: \[network\/victim_default\]/,
  ],
  mode: ['    network_mode: victim_default\n', /network_mode: victim_default is denied/],
  namespace: [
    '    network_mode: "container:victim-web-1"\n',
    /network_mode: container:victim-web-1 is denied .*shared: \[container\/victim-web-1\]/,
  ],
  memory: ['    ipc: "container:victim-web-1"\n', /ipc: container:victim-web-1 is denied/],
  from: [
    '    volumes_from: ["container:victim-web-1"]\n',
    /volumes of container:victim-web-1 is den/,
  ],
  claimed: [
    `    pid: "container:victim-web-1"
  none: { image: ${busybox}, container_name: victim-web-1, scale: 0 }
`,
    /pid: container:victim-web-1 is denied .*shared: \[container\/victim-web-1\]/,
  ],
  twice: [
    '    volumes: ["vol:/v"]\nvolumes: { vol: { external: true, name: victim_data }, own: { name: victim_data } }\n',
    /the external volume victim_data is denied/,
  ],
  joined: [
    '    network_mode: victim_default\nnetworks: { own: { name: victim_default } }\n',
    /network_mode: victim_default is denied/,
  ],
  // nothing of a run is made when one name in it is taken, in whatever place
  container: [
    `  other: { image: ${busybox}, container_name: victim-web-1, command: sleep 1000 }\n`,
    /a container named victim-web-1 is there already of stack victim/,
  ],
  bridge: [
    '    networks: [n, default]\nnetworks: { n: { name: victim_default } }\n',
    /a network named victim_default is there already of stack victim/,
  ],
  // names that another one, which waits, has by itself
  'early-volume': [
    '    volumes: ["vol:/v"]\nvolumes: { vol: { name: waiting_data } }\n',
    /early-volume\/compose.yaml:\d+:\d+: a volume named waiting_data, which is a name of stack:waiting, is denied .*shared: \[volume\/waiting_data\]/,
  ],
  'early-network': [
    '    networks: [n]\nnetworks: { n: { name: waiting_default } }\n',
    /a network named waiting_default, which is a name of stack:waiting, is denied/,
  ],
  'early-container': [
    '    container_name: waiting-web-1\n',
    /a container named waiting-web-1, which is a name of stack:waiting, is denied/,
  ],
  link: ['    external_links: [victim-web-1:db]\n', /a link to victim-web-1 is denied/],
}

for (const [name, skip, start] of bothEngines) {
  void test(`between applications on ${name}`, { skip, timeout: 300_000 }, async (t) => {
    const engine = await start()
    t.after(() => engine.stop())
    const target = `unix://${engine.socket}`
    const folder = (): string => mkdtempSync(join(engine.root, 'service-'))
    const repo = fakeRepository(folder())
    const victim = web('    volumes: ["data:/data"]\nvolumes: { data: {} }\n')
    const files = Object.entries(attacks).map(([key, [text]]) => [`${key}/compose.yaml`, web(text)])
    const [[, lent] = ['', '']] = files
    const shared = ['volume/victim_data', 'network/victim_default']
    const commit = (late: string): unknown =>
      repo.commit({
        'victim/compose.yaml': victim,
        'waiting/compose.yaml': victim,
        ...Object.fromEntries(files),
        'guest/compose.yaml': `${lent}networks: { default: { external: true, name: victim_default } }\n`,
        'turned/compose.yaml': late,
      })
    commit(turned('turned-other-1', 'LEVEL: old'))
    const security = denyAll
    const dependsOn = ['stack:victim']
    const apps = [
      stackOf('victim', target, { policy: { security } }),
      stackOf('waiting', target, { policy: { security, suspended: true } }),
      ...Object.keys(attacks).map((key) =>
        stackOf(key, target, { policy: { security, dependsOn } }),
      ),
      stackOf('turned', target, { policy: { security, dependsOn } }),
      stackOf('guest', target, { policy: { security: { ...denyAll, shared }, dependsOn } }),
    ]
    const service = serve({ folder: folder(), instance: 'between', repo, declarations: { apps } })
    t.after(() => service.stop())
    await service.start()
    await service.until('stack:victim', ({ state }) => state === 'synced')
    for (const [key, [, told]] of Object.entries(attacks)) {
      const { state, reason } = await service.until(`stack:${key}`, isOver)
      assert.equal(state, 'failed', key)
      assert.match(reason, told, key)
    }
    await service.until('stack:turned', ({ state }) => state === 'synced')
    const { state, reason } = await service.until('stack:guest', isOver)
    assert.equal(state, 'synced', reason)
    const docker = dockerAt({ address: target })
    t.after(() => docker.close())
    const listed = async (): Promise<readonly string[]> =>
      (await listContainers(docker, [], never)).map(({ name: one, id }) => `${one} ${id}`)
    const before = await listed()
    const names = before.map((one) => one.replace(/ .*/, '')).toSorted()
    assert.deepEqual(names, ['guest-web-1', 'turned-other-1', 'turned-web-1', 'victim-web-1'])
    // what ran well keeps running as it did when its next commit wants a name of another
    commit(turned('victim-web-1', 'LEVEL: new'))
    service.refresh()
    const late = await service.until('stack:turned', (one) => one.state === 'failed')
    assert.match(late.reason, /turned\/compose.yaml:\d+:\d+: .*named victim-web-1 is there already/)
    assert.deepEqual(await listed(), before)
    const awake = apps.map((app) => ({ ...app, policy: { ...app.policy, suspended: false } }))
    await service.reload({ ...usualDeclarations, apps: awake })
    const last = await service.until('stack:waiting', isOver)
    assert.equal(last.state, 'synced', last.reason)
  })
}

/** Both wait; meanwhile somebody else takes the name that the second one will have. */
const waiting = `services:
  slow: { image: ${busybox}, command: sh -c 'until test -e /tmp/go; do sleep 0.1; done' }
  x-web:
    image: ${busybox}
    command: sleep 1000
    stop_grace_period: 0s
    depends_on: { slow: { condition: service_completed_successfully } }
  web:
    image: ${busybox}
    command: sleep 1000
    stop_grace_period: 0s
    pid: "container:wait-x-web-1"
    depends_on: { slow: { condition: service_completed_successfully } }
`

for (const [name, skip, start] of bothEngines) {
  void test(
    `a name of its own that another has on ${name}`,
    { skip, timeout: 300_000 },
    async (t) => {
      const engine = await start()
      t.after(() => engine.stop())
      const target = `unix://${engine.socket}`
      const folder = (): string => mkdtempSync(join(engine.root, 'service-'))
      const repo = fakeRepository(folder())
      repo.commit({ 'wait/compose.yaml': waiting })
      const apps = [stackOf('wait', target, { policy: { security: denyAll } })]
      const service = serve({ folder: folder(), instance: 'between', repo, declarations: { apps } })
      t.after(() => service.stop())
      await service.start()
      const docker = dockerAt({ address: target })
      t.after(() => docker.close())
      const calls = dockerEngine(docker)
      const named = async (wanted: string): Promise<string | undefined> =>
        (await listContainers(docker, [], never)).find((one) => one.name === wanted)?.id
      while ((await named('wait-slow-1')) === undefined) await moment(50)
      const body = { Image: busybox, Cmd: ['sleep', '1000'] }
      const { id } = await calls.createContainer({ name: 'wait-x-web-1', body }, never)
      await calls.startContainer(id, never)
      while (!(await touched(docker, 'wait-slow-1'))) await moment(50)
      const { reason } = await service.until('stack:wait', isOver)
      assert.match(
        reason,
        /container:wait-x-web-1, which is not its own, is denied|is there already|in use/,
      )
      const mine = await named('wait-web-1')
      assert.equal(mine, undefined, 'nothing was made that sees the processes of another')
    },
  )
}

/** Whether the container was told to end. */
async function touched(docker: Docker, container: string): Promise<boolean> {
  try {
    await execIn(docker, container, { command: ['touch', '/tmp/go'], report() {} }, never)
    return true
  } catch {
    // it does not run yet
    return false
  }
}
