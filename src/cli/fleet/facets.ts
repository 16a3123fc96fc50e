/** What clusters are registered with, as fleet.yaml says: what it does not name is left alone. */
import { join, resolve } from 'node:path'
import type { ClusterRow, Registrations } from '#model/clusters.ts'
import { openAccess } from '#clients/git/access.ts'
import { addressOf } from '#clients/git/address.ts'
import type { Remote } from '#clients/git/remote.ts'
import { portainerAt, type PortainerPlace } from '#clients/portainer/client.ts'
import type { Proxy } from '#clients/haproxy/proxy.ts'
import { branchesFacet } from '#domains/fleet/branches.ts'
import { endpointsFacet, type EndpointsInput } from '#domains/fleet/endpoints.ts'
import type { Facet } from '#domains/fleet/facet.ts'
import { routesFacet } from '#domains/fleet/routes.ts'
import type { FleetSettings } from '#domains/fleet/settings.ts'
import type { Declared } from '#domains/fleet/site.ts'
import type { Session } from '../session.ts'
import { argoFacets } from './argo.ts'
import { missing, namespaceOf, secretIn, textIn } from './settings.ts'
import { waysIn } from './ways.ts'

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
    const namespace = namespaceOf(settings, session)
    facets.push(routesFacet({ proxy, baseDomain, namespace, isWanted: wants('route') }))
  }
  const { portainer, git, argocd } = settings
  const fleet = settings.name ?? 'fleet'
  const ways = waysIn(folder, session)
  if (portainer !== undefined) {
    facets.push(
      endpointsFacet({
        portainer: portainerAt(portainerPlace(portainer, session)),
        edgeUrl: portainer.edgeUrl ?? portainer.url,
        group: portainer.group ?? 1,
        owner: `${session.instance}:fleet:${fleet}`,
        fleet,
        isWanted: wants('portainer'),
        ways,
        agent: agentIn(portainer),
      }),
    )
  }
  if (argocd !== undefined) {
    facets.push(...argoFacets(argocd, settings, declared, wants('argocd'), ways))
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
        hasBranch: (name) => declared.notes.get(name)?.registrations.git ?? true,
      }),
    )
  }
  return facets
}

/** `archive` would stand where branches are put aside. */
const reservedBranches = ['main', 'master', 'develop', 'release', 'devops', 'archive']

const usualAgent = 'portainer/agent:2.33.2'

function agentIn({ agent }: NonNullable<FleetSettings['portainer']>): EndpointsInput['agent'] {
  if (agent === undefined) return undefined
  return { image: agent.image ?? usualAgent, isInsecure: agent.insecure ?? false }
}

function portainerPlace(
  settings: NonNullable<FleetSettings['portainer']>,
  session: Session,
): PortainerPlace {
  const { key, user = 'admin', password } = settings
  const url = URL.parse(settings.url) ?? missing('portainer', 'url that can be used')
  const ca = settings.ca === undefined ? undefined : textIn(settings.ca, 'portainer.ca')
  if (key !== undefined) {
    return { url, ca, access: { kind: 'key', key: secretIn(key, 'portainer.key', session) } }
  }
  const place = password ?? missing('portainer', 'key and no password')
  const secret = secretIn(place, 'portainer.password', session)
  return { url, ca, access: { kind: 'password', user, password: secret } }
}

function remoteFor(settings: NonNullable<FleetSettings['git']>, session: Session): Remote {
  const { environment } = session
  const address = addressOf(settings.url)
  const { token, user = 'git' } = settings
  const credential =
    token === undefined
      ? undefined
      : ({ kind: 'token', user, token: secretIn(token, 'git.token', session) } as const)
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
    ...(haproxy.https === undefined ? {} : { https: haproxy.https }),
  }
}
