/** Which registrations the rows want, from the settings of fleet.yaml alone: no secret is read and no connection is made. Pure. */
import { join, resolve } from 'node:path'
import type { Listening } from '#clients/haproxy/proxy.ts'
import { wantedArgoSecret } from '#domains/fleet/registrations/argo-secrets.ts'
import {
  wantedApplications,
  wantedApplicationSet,
  type WantedSetInput,
} from '#domains/fleet/registrations/argo-sets.ts'
import { wantedBranch } from '#domains/fleet/registrations/branches.ts'
import { wantedEndpoint } from '#domains/fleet/registrations/portainer-endpoints.ts'
import type { WantedRegistration } from '#domains/fleet/registrations/registration.ts'
import { wantedRoute } from '#domains/fleet/registrations/routes.ts'
import type { FleetSettings } from '#domains/fleet/settings.ts'
import type { Declared } from '#domains/fleet/fleet-context.ts'
import type { ClusterRow, Registrations } from '#model/clusters.ts'
import { missing } from './settings.ts'

export type ArgoSettings = NonNullable<FleetSettings['argocd']>

type RegistrationFolder = {
  /** The end of the name of each cluster's host. */
  readonly namespace: string | undefined
  /** The folder in which the fleet keeps its files. */
  readonly folder: string
}

export function wantedRegistrationsFor(
  settings: FleetSettings,
  declared: Declared,
  { namespace, folder }: RegistrationFolder,
): readonly WantedRegistration[] {
  const { portainer, git, argocd } = settings
  const wanted: WantedRegistration[] = []
  const listening = listeningFor(settings, folder)
  if (listening !== undefined) {
    const baseDomain = baseDomainIn(settings)
    const isWanted = wanting('route', declared)
    wanted.push(wantedRoute({ proxy: listening, baseDomain, namespace, isWanted }))
  }
  if (portainer !== undefined) {
    const isWanted = wanting('portainer', declared)
    wanted.push(wantedEndpoint({ ...environmentsIn(portainer), isWanted }))
  }
  if (argocd !== undefined) {
    wanted.push(wantedArgoSecret({ host: argocd.host, isWanted: wanting('argocd', declared) }))
    const set = applicationSetIn(argocd, settings)
    if (set !== undefined) wanted.push(wantedApplicationSet(set), wantedApplications())
  }
  if (git !== undefined) {
    wanted.push(wantedBranch({ reserved: reservedIn(git), isWanted: wanting('git', declared) }))
  }
  return wanted
}

export function wanting(
  which: keyof Registrations,
  { notes }: Declared,
): (row: ClusterRow) => boolean {
  return ({ name }) => notes.get(name)?.registrations[which] ?? true
}

export function baseDomainIn({ baseDomain }: FleetSettings): string {
  return baseDomain ?? missing('haproxy', 'baseDomain')
}

export function environmentsIn({
  edgeUrl,
  url,
  group = 1,
  agent,
}: NonNullable<FleetSettings['portainer']>) {
  return { edgeUrl: edgeUrl ?? url, group, hasAgent: agent !== undefined }
}

export function reservedIn({
  base = 'main',
  protected: kept = [],
}: NonNullable<FleetSettings['git']>) {
  return new Set([...reservedBranches, ...kept, base])
}

export function listeningFor(
  { haproxy }: Pick<FleetSettings, 'haproxy'>,
  folder: string,
): Listening | undefined {
  if (haproxy === undefined) return undefined
  return {
    folder: resolve(haproxy.folder ?? join(folder, 'haproxy')),
    http: haproxy.http ?? '*:80',
    ...(haproxy.https === undefined ? {} : { https: haproxy.https }),
  }
}

/** Names that no branch may have. `archive` would collide with the branches that are put aside. */
const reservedBranches = ['main', 'master', 'develop', 'release', 'devops', 'archive']

/** Undefined: the settings ask for none. */
export function applicationSetIn(
  { namespace = 'argocd', applicationSet }: ArgoSettings,
  settings: FleetSettings,
): WantedSetInput | undefined {
  if (applicationSet === undefined) return undefined
  const { name = 'whoami', path = 'deploy', project = 'default', parameters = {} } = applicationSet
  const repository =
    applicationSet.repository ??
    settings.git?.url ??
    missing('argocd.applicationSet', 'repository, nor git.url')
  const set = { name, repository, path, project, parameters }
  const fleet = settings.name ?? 'fleet'
  return { namespace, fleet, set: { ...set, namespace: applicationSet.namespace ?? name } }
}
