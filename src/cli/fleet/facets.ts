/** What clusters are registered with, as fleet.yaml says: what it does not name is left alone. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { ClusterRow, Registrations } from '#model/clusters.ts'
import { Problem } from '#model/problem.ts'
import { openAccess } from '#clients/git/access.ts'
import { addressOf } from '#clients/git/address.ts'
import type { Remote } from '#clients/git/remote.ts'
import { kubernetesAt } from '#clients/kubernetes/client.ts'
import { clusterSurroundings, findCluster } from '#clients/kubernetes/find-cluster.ts'
import { portainerAt, type PortainerPlace } from '#clients/portainer/client.ts'
import type { Proxy } from '#clients/haproxy/proxy.ts'
import { argoFacet } from '#domains/fleet/argo-secrets.ts'
import { branchesFacet } from '#domains/fleet/branches.ts'
import { endpointsFacet } from '#domains/fleet/endpoints.ts'
import type { Facet } from '#domains/fleet/facet.ts'
import { routesFacet } from '#domains/fleet/routes.ts'
import type { FleetSettings } from '#domains/fleet/settings.ts'
import type { Declared } from '#domains/fleet/site.ts'
import type { Session } from '../session.ts'
import { secretIn } from './settings.ts'

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
  const { portainer, git, argocd } = settings
  const fleet = settings.name ?? 'fleet'
  if (portainer !== undefined) {
    facets.push(
      endpointsFacet({
        portainer: portainerAt(portainerPlace(portainer, session)),
        edgeUrl: portainer.edgeUrl ?? portainer.url,
        group: portainer.group ?? 1,
        owner: `${session.instance}:fleet:${fleet}`,
        isWanted: wants('portainer'),
      }),
    )
  }
  if (argocd !== undefined) {
    const { kubeconfig, context, namespace = 'argocd', host } = argocd
    const place = clusterSurroundings(resolve(kubeconfig), context)
    facets.push(
      argoFacet({
        management: kubernetesAt(findCluster(place)),
        namespace,
        fleet,
        host,
        isWanted: wants('argocd'),
        open(name) {
          const file = join(folder, 'kubeconfigs', `${name}.yaml`)
          const access = findCluster(clusterSurroundings(file))
          return { api: kubernetesAt(access), ca: access.ca }
        },
        sleep: (milliseconds, signal) => session.clock.sleep(milliseconds, signal),
      }),
    )
  }
  if (git !== undefined) {
    facets.push(
      branchesFacet({
        remote: remoteFor(git, session),
        folder: join(folder, 'git'),
        base: git.base ?? 'main',
        reserved: new Set([...reservedBranches, ...(git.protected ?? []), git.base ?? 'main']),
        fleet,
        now: () => session.clock.now(),
        isWanted: wants('git'),
      }),
    )
  }
  return facets
}

const reservedBranches = ['main', 'master', 'develop', 'release', 'devops']

function portainerPlace(
  settings: NonNullable<FleetSettings['portainer']>,
  session: Session,
): PortainerPlace {
  const { key, user = 'admin', password } = settings
  const url = URL.parse(settings.url) ?? missing('portainer', 'url that can be used')
  const ca = settings.ca === undefined ? undefined : readFileSync(resolve(settings.ca), 'utf8')
  if (key !== undefined) return { url, ca, access: { kind: 'key', key: secretIn(key, session) } }
  const place = password ?? missing('portainer', 'key and no password')
  return { url, ca, access: { kind: 'password', user, password: secretIn(place, session) } }
}

function remoteFor(settings: NonNullable<FleetSettings['git']>, session: Session): Remote {
  const { environment } = session
  const address = addressOf(settings.url)
  const { token, user = 'git' } = settings
  const credential =
    token === undefined
      ? undefined
      : ({ kind: 'token', user, token: secretIn(token, session) } as const)
  const access = openAccess(address, credential, environment)
  return { git: { around: environment }, address, access, settingsFile: '/dev/null' }
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
    suggestion: 'see docs/fleet.md for all that it takes',
  })
}
