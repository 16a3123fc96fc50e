/** What clusters are registered with, as fleet.yaml says: what it does not name is left alone. */
import { join } from 'node:path'
import { openAccess } from '#clients/git/access.ts'
import { addressOf } from '#clients/git/address.ts'
import type { Remote } from '#clients/git/remote.ts'
import { portainerAt, type PortainerPlace } from '#clients/portainer/client.ts'
import type { Proxy } from '#clients/haproxy/proxy.ts'
import { branchRegistration } from '#domains/fleet/registrations/branches.ts'
import {
  endpointRegistration,
  type EndpointsInput,
} from '#domains/fleet/registrations/portainer-endpoints.ts'
import type { Registration } from '#domains/fleet/registrations/registration.ts'
import { routeRegistration } from '#domains/fleet/registrations/routes.ts'
import type { FleetSettings } from '#domains/fleet/settings.ts'
import type { Declared } from '#domains/fleet/fleet-context.ts'
import type { FleetAround } from './around.ts'
import { argoRegistrations } from './argo.ts'
import {
  baseDomainIn,
  environmentsIn,
  listeningFor,
  reservedIn,
  wanting,
} from './wanted-registrations.ts'
import { missing, namespaceOf, secretIn, textIn } from './settings.ts'
import { clusterConnectionsIn } from './cluster-connections.ts'

export function registrationsFor(
  settings: FleetSettings,
  declared: Declared,
  around: FleetAround,
  folder: string,
): readonly Registration[] {
  const registrations: Registration[] = []
  const proxy = proxyFor(settings, around, folder)
  if (proxy !== undefined) {
    const baseDomain = baseDomainIn(settings)
    const namespace = namespaceOf(settings, around)
    registrations.push(
      routeRegistration({ proxy, baseDomain, namespace, isWanted: wanting('route', declared) }),
    )
  }
  const { portainer, git, argocd } = settings
  const fleet = settings.name ?? 'fleet'
  const connections = clusterConnectionsIn(folder, around)
  if (portainer !== undefined) {
    registrations.push(
      endpointRegistration({
        portainer: portainerAt(portainerPlace(portainer, around)),
        ...environmentsIn(portainer),
        owner: `${around.instance}:fleet:${fleet}`,
        fleet,
        isWanted: wanting('portainer', declared),
        connections,
        agent: agentIn(portainer),
      }),
    )
  }
  if (argocd !== undefined) {
    registrations.push(
      ...argoRegistrations(argocd, settings, declared, wanting('argocd', declared), connections),
    )
  }
  if (git !== undefined) {
    registrations.push(
      branchRegistration({
        remote: remoteFor(git, around),
        folder: join(folder, 'git'),
        base: git.base ?? 'main',
        reserved: reservedIn(git),
        fleet,
        now: () => around.clock.now(),
        isWanted: wanting('git', declared),
        hasBranch: (name) => declared.notes.get(name)?.registrations.git ?? true,
      }),
    )
  }
  return registrations
}

const usualAgent = 'portainer/agent:2.33.2'

function agentIn({ agent }: NonNullable<FleetSettings['portainer']>): EndpointsInput['agent'] {
  if (agent === undefined) return undefined
  return { image: agent.image ?? usualAgent, isInsecure: agent.insecure ?? false }
}

function portainerPlace(
  settings: NonNullable<FleetSettings['portainer']>,
  around: FleetAround,
): PortainerPlace {
  const { key, user = 'admin', password } = settings
  const url = URL.parse(settings.url) ?? missing('portainer', 'url that can be used')
  const ca = settings.ca === undefined ? undefined : textIn(settings.ca, 'portainer.ca')
  if (key !== undefined) {
    return { url, ca, access: { kind: 'key', key: secretIn(key, 'portainer.key', around) } }
  }
  const place = password ?? missing('portainer', 'key and no password')
  const secret = secretIn(place, 'portainer.password', around)
  return { url, ca, access: { kind: 'password', user, password: secret } }
}

function remoteFor(settings: NonNullable<FleetSettings['git']>, around: FleetAround): Remote {
  const { environment } = around
  const address = addressOf(settings.url)
  const { token, user = 'git' } = settings
  const credential =
    token === undefined
      ? undefined
      : ({ kind: 'token', user, token: secretIn(token, 'git.token', around) } as const)
  const access = openAccess(address, credential, environment)
  return { git: { around: environment }, address, access, settingsFile: '/dev/null' }
}

export function proxyFor(
  { haproxy }: FleetSettings,
  { environment }: FleetAround,
  folder: string,
): Proxy | undefined {
  const listening = listeningFor({ haproxy }, folder)
  if (haproxy === undefined || listening === undefined) return undefined
  return { program: haproxy.program ?? 'haproxy', environment, ...listening }
}
