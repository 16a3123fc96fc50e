/** What clusters are registered with, as fleet.yaml says: what it does not name is left alone. */
import { join, resolve } from 'node:path'
import type { ClusterRow, Registrations } from '#model/clusters.ts'
import { Problem } from '#model/problem.ts'
import type { Proxy } from '#clients/haproxy/proxy.ts'
import type { Facet } from '#domains/fleet/facet.ts'
import { routesFacet } from '#domains/fleet/routes.ts'
import type { FleetSettings } from '#domains/fleet/settings.ts'
import type { Declared } from '#domains/fleet/site.ts'
import type { Session } from '../session.ts'

export function facetsFor(
  settings: FleetSettings,
  declared: Declared,
  session: Session,
  folder: string,
): readonly Facet[] {
  function wants(which: keyof Registrations): (row: ClusterRow) => boolean {
    return ({ name }) => declared.notes.get(name)?.registrations[which] ?? true
  }
  const facets: Facet[] = []
  const proxy = proxyFor(settings, session, folder)
  if (proxy !== undefined) {
    const baseDomain = settings.baseDomain ?? missing('haproxy', 'baseDomain')
    facets.push(routesFacet({ proxy, baseDomain, isWanted: wants('route') }))
  }
  return facets
}

export function proxyFor(
  { haproxy }: FleetSettings,
  { environment }: Session,
  folder: string,
): Proxy | undefined {
  if (haproxy === undefined) return undefined
  return {
    program: haproxy.program ?? 'haproxy',
    environment,
    folder: resolve(haproxy.folder ?? join(folder, 'haproxy')),
    http: haproxy.http ?? '*:80',
  }
}

function missing(part: string, field: string): never {
  throw new Problem({
    type: 'configuration',
    code: 'declaration_error',
    message: `fleet.yaml says ${part} and no ${field}`,
    suggestion: `add a line: ${field}: example.org`,
  })
}
