/** Puts together what a fleet is looked at and changed with: programs, files, registrations. */
import { join, resolve } from 'node:path'
import { existing } from '#clients/providers/existing.ts'
import { k3d } from '#clients/providers/k3d.ts'
import { kind } from '#clients/providers/kind.ts'
import { kubeconfigsIn, type Kubeconfigs } from '#clients/providers/kubeconfigs.ts'
import { kwok } from '#clients/providers/kwok.ts'
import { probe } from '#clients/providers/probe.ts'
import type { ProgramSettings } from '#clients/providers/provider.ts'
import type { Clusters, DeclaredCluster } from '#model/clusters.ts'
import type { Registration } from '#domains/fleet/registrations/registration.ts'
import { overlaid, rowsRegistration } from '#domains/fleet/registrations/table-rows.ts'
import type { FleetSettings } from '#domains/fleet/settings.ts'
import type { FleetContext, RunOptions } from '#domains/fleet/fleet-context.ts'
import type { FleetAround } from './around.ts'
import { hostBeside } from './free-ports.ts'
import { registrationsFor } from './registrations.ts'
import { namespaceOf } from './settings.ts'
import { folderOf } from './usual.ts'

/** Reads the rows, once for a run. `said` is what a file declares of rows, which counts before the table. */
export async function openFleetContext(
  clusters: Clusters,
  settings: FleetSettings,
  options: RunOptions,
  around: FleetAround,
  said?: readonly DeclaredCluster[],
): Promise<FleetContext> {
  const table = { rows: await clusters.rows(), notes: await clusters.notes() }
  const declared = said === undefined ? table : overlaid(table, said)
  const declare: Clusters['declare'] = (...rows) => clusters.declare(...rows)
  let registrations: readonly Registration[] | undefined
  return {
    settings,
    clusters,
    declared,
    options,
    providers: providersFor(settings, around),
    kubeconfigs: kubeconfigsFor(settings, around),
    // who only looks at clusters needs no secrets of what they are registered with
    get registrations() {
      registrations ??= [
        ...(said === undefined
          ? []
          : [rowsRegistration(said, table, declare, hostBeside(settings))]),
        ...registrationsFor(settings, declared, around, fleetFolder(settings, around)),
      ]
      return registrations
    },
    memory: {},
    probe,
    close() {
      for (const registration of registrations ?? []) registration.close?.()
    },
  }
}

export function fleetFolder(settings: FleetSettings, around: FleetAround): string {
  return folderOf(settings, namespaceOf(settings, around), around.home)
}

function kubeconfigsFor(settings: FleetSettings, around: FleetAround): Kubeconfigs {
  return kubeconfigsIn(join(fleetFolder(settings, around), 'kubeconfigs'))
}

function providersFor(settings: FleetSettings, around: FleetAround): FleetContext['providers'] {
  const folder = join(fleetFolder(settings, around), 'clusters')
  const own = settings.providers ?? {}
  function program(name: 'kind' | 'k3d' | 'kwok', usual: string): ProgramSettings {
    const { program: given = usual, listen = '127.0.0.1' } = own[name] ?? {}
    const key = `providers.${name}.program`
    return { program: given, key, environment: around.environment, folder, listen }
  }
  const workFolder = resolve(own.kwok?.folder ?? join(fleetFolder(settings, around), 'kwok'))
  const files = Object.entries(settings.clusters ?? {}).flatMap(([name, { kubeconfig }]) =>
    kubeconfig === undefined ? [] : [[name, resolve(kubeconfig)] as const],
  )
  return {
    kind: kind({
      ...program('kind', 'kind'),
      engine: own.kind?.engine ?? 'docker',
      network: own.kind?.network,
    }),
    k3d: k3d({
      ...program('k3d', 'k3d'),
      engine: own.k3d?.engine ?? 'docker',
      network: own.k3d?.network,
    }),
    kwok: kwok({
      ...program('kwok', 'kwokctl'),
      workFolder,
      components: own.kwok?.components ?? [],
    }),
    existing: existing({ kubeconfigs: new Map(files) }),
  }
}
