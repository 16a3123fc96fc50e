/** The contract of kinds on a fleet from its table, with a k3d that stands in and API servers that answer for its clusters. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { declaredOf } from '#domains/fleet/rows-yaml.ts'
import { fleet } from '#kinds/fleet.ts'
import { loadedFleets } from '#kinds/fleet/load.ts'
import { withTable } from '#kinds/fleet/open.ts'
import type { Clusters } from '#model/clusters.ts'
import type { Declared } from '#model/declaration.ts'
import type { Rendered } from '#model/domain.ts'
import { usualPolicy } from '#model/usual-policy.ts'
import { vaultOf } from '#model/vault.ts'
import { bindFilesIn } from '#sources/bind-files.ts'
import { systemClock } from '../testbed/drive.ts'
import { fleetBench } from '../testbed/fleet.ts'
import { kindContract } from './kind.ts'

const seed = new Uint8Array([7])
const { signal } = new AbortController()
const password = 'correct horse battery staple'
/** The configuration of a provider may hold passwords of registries. */
const withPassword = {
  config: { registries: { config: `configs: { r: { auth: { password: ${password} } } }` } },
}
const everything = { route: true, portainer: true, argocd: true, git: true }
const lenient = { isPortFree: async () => true, isSubnetFree: () => true }

kindContract('fleet', async () => {
  const bench = await fleetBench()
  const { folder, database, standing } = bench
  const around = {
    clock: systemClock,
    environment: {
      ...process.env,
      PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
      K3D_STAND_IN: join(folder, 'k3d'),
    },
    home: join(folder, 'home'),
    instance: 'test',
    log: () => undefined,
  }
  const loaded = loadedFleets(around)
  const source = { kind: 'table', of: 'fleet', path: database } as const
  const application = { kind: 'fleet', namespace: null, name: 'fleet' }
  const declared: Declared = {
    application,
    source,
    path: '',
    files: [],
    profiles: [],
    values: { recreate: true },
    target: database,
    policy: usualPolicy,
    at: undefined,
  }
  const repository = loaded.table?.(source, join(folder, 'cache')) ?? assert.fail('no table')
  const connection = loaded.connect(loaded.find(database), 'test')
  const { kind, target, leases } = connection.ports('test:fleet:fleet', declared)
  await withTable(database, 'make', around, async () => undefined)

  /** Rows become these, by name and HTTP port; others that are there say absent. */
  async function rendered(ports: Readonly<Record<string, number>>): Promise<Rendered> {
    await withTable(database, 'write', around, (clusters) => rowsAre(clusters, ports))
    const revision = (await repository.latest([''], signal)).get('') ?? ''
    const snapshot = await repository.snapshot(revision, '', signal)
    const bindFiles = bindFilesIn(join(folder, 'files'), undefined, folder)
    const context = { since: 1000, seed, bindFiles, sharesFiles: true }
    const answer = await fleet.render?.(loaded.request(declared, snapshot, context))
    const { resources, problems, warnings, isIncomplete, version } = answer ?? assert.fail()
    const vault = vaultOf(new Map(), seed)
    return { resources, problems, warnings, isIncomplete, version, vault }
  }
  return {
    kind,
    target,
    application,
    ...(leases === undefined ? {} : { leases }),
    first: () => rendered({ web: 18_301, old: 18_302 }),
    second: () => rendered({ web: 18_303, new: 18_304 }),
    none: () => rendered({}),
    secret: password,
    sketch: async () =>
      standing().map((name) => {
        const kept = JSON.parse(
          readFileSync(join(folder, 'k3d', 'clusters', `${name}.json`), 'utf8'),
        )
        return [name, kept.config.ports, kept.isRunning]
      }),
    drift: async () => bench.dropCluster('old'),
    async close() {
      connection.close()
      await bench.close()
    },
  }
})

async function rowsAre(clusters: Clusters, ports: Readonly<Record<string, number>>): Promise<void> {
  for (const { name } of await clusters.rows()) {
    if (!Object.hasOwn(ports, name)) await clusters.want(name, 'absent')
  }
  const notes = await clusters.notes()
  for (const [name, httpPort] of Object.entries(ports)) {
    const known = (await clusters.rows()).find((row) => row.name === name)
    const others = { nodePort: 30_080, pfPort: null, httpsPort: null, subnet: null }
    const settings = known && declaredOf(known, notes.get(name)).settings
    const row = { name, provider: 'k3d', desired: 'present', httpPort, ...others }
    const beside = { registrations: everything, settings: settings ?? withPassword }
    await clusters.declare([{ ...row, ...beside }], lenient)
  }
}
