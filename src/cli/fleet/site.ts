/** Puts together what a fleet is looked at and changed with: programs, files, registrations. */
import { join, resolve } from 'node:path'
import { existing } from '#clients/providers/existing.ts'
import { k3d } from '#clients/providers/k3d.ts'
import { kind } from '#clients/providers/kind.ts'
import { kubeconfigsIn, type Kubeconfigs } from '#clients/providers/kubeconfigs.ts'
import { kwok } from '#clients/providers/kwok.ts'
import { probe } from '#clients/providers/probe.ts'
import type { ProgramSettings } from '#clients/providers/provider.ts'
import type { Clusters } from '#model/clusters.ts'
import type { Facet } from '#domains/fleet/facet.ts'
import type { FleetSettings } from '#domains/fleet/settings.ts'
import type { Site, Wishes } from '#domains/fleet/site.ts'
import type { Session } from '../session.ts'
import { facetsFor } from './facets.ts'
import { namespaceOf } from './settings.ts'

export const reconciling: Wishes = {
  mode: 'reconcile',
  prunesAbsent: false,
  isAll: false,
  recreates: false,
}

/** Rows are read here, once for the run. */
export async function siteFor(
  clusters: Clusters,
  settings: FleetSettings,
  wishes: Wishes,
  session: Session,
): Promise<Site> {
  const declared = { rows: await clusters.rows(), notes: await clusters.notes() }
  let facets: readonly Facet[] | undefined
  return {
    settings,
    clusters,
    declared,
    wishes,
    providers: providersFor(settings, session),
    kubeconfigs: kubeconfigsFor(settings, session),
    // who only looks at clusters needs no secrets of what they are registered with
    get facets() {
      facets ??= facetsFor(settings, declared, session, fleetFolder(settings, session))
      return facets
    },
    memory: {},
    probe,
    close() {
      for (const facet of facets ?? []) facet.close?.()
    },
  }
}

export function fleetFolder(settings: FleetSettings, session: Session): string {
  const namespace = namespaceOf(settings, session)
  const usual = namespace === undefined ? 'fleet' : `fleet-${namespace}`
  return resolve(settings.folder ?? join(session.home, usual))
}

export function kubeconfigsFor(settings: FleetSettings, session: Session): Kubeconfigs {
  return kubeconfigsIn(join(fleetFolder(settings, session), 'kubeconfigs'))
}

function providersFor(settings: FleetSettings, session: Session): Site['providers'] {
  const folder = join(fleetFolder(settings, session), 'clusters')
  const own = settings.providers ?? {}
  function program(name: 'kind' | 'k3d' | 'kwok', usual: string): ProgramSettings {
    const { program: given = usual, listen = '127.0.0.1' } = own[name] ?? {}
    const key = `providers.${name}.program`
    return { program: given, key, environment: session.environment, folder, listen }
  }
  const workFolder = resolve(own.kwok?.folder ?? join(fleetFolder(settings, session), 'kwok'))
  const files = Object.entries(settings.clusters ?? {}).flatMap(([name, { kubeconfig }]) =>
    kubeconfig === undefined ? [] : [[name, resolve(kubeconfig)] as const],
  )
  return {
    kind: kind({
      ...program('kind', 'kind'),
      engine: own.kind?.engine ?? 'docker',
      network: own.kind?.network,
    }),
    k3d: k3d({ ...program('k3d', 'k3d'), network: own.k3d?.network }),
    kwok: kwok({
      ...program('kwok', 'kwokctl'),
      workFolder,
      components: own.kwok?.components ?? [],
    }),
    existing: existing({ kubeconfigs: new Map(files) }),
  }
}
