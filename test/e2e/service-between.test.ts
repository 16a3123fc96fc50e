/** One application reaches nothing of another: volumes, networks, containers; only what the operator lists as shared. */
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { denyAll } from '#model/policy.ts'
import type { AppStatus } from '#model/service.ts'
import { fakeRepository } from '../fake/repository.ts'
import { bothEngines } from '../testbed/both-engines.ts'
import { busybox } from '../testbed/image.ts'
import { serve, stackOf } from '../testbed/serve.ts'

function web(more: string): string {
  return `services:
  web:
    image: ${busybox}
    command: sleep 1000
    stop_grace_period: 0s
${more}`
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
    repo.commit({
      'victim/compose.yaml': victim,
      ...Object.fromEntries(files),
      'guest/compose.yaml': `${lent}networks: { default: { external: true, name: victim_default } }\n`,
    })
    const security = denyAll
    const dependsOn = ['stack:victim']
    const apps = [
      stackOf('victim', target, { policy: { security } }),
      ...Object.keys(attacks).map((key) =>
        stackOf(key, target, { policy: { security, dependsOn } }),
      ),
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
    const { state, reason } = await service.until('stack:guest', isOver)
    assert.equal(state, 'synced', reason)
  })
}
