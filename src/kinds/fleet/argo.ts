/** What Argo CD gets to know of a fleet, as fleet.yaml says. */
import { resolve } from 'node:path'
import type { ClusterRow } from '#model/clusters.ts'
import { factsOf, Problem, problemOf } from '#model/problem.ts'
import { kubernetesAt, type Kubernetes } from '#clients/kubernetes/client.ts'
import { clusterSurroundings, findCluster } from '#clients/kubernetes/find-cluster.ts'
import { argoSecretRegistration } from '#domains/fleet/registrations/argo-secrets.ts'
import {
  applicationsRegistration,
  applicationSetRegistration,
} from '#domains/fleet/registrations/argo-sets.ts'
import type { Registration } from '#domains/fleet/registrations/registration.ts'
import type { ClusterConnections } from '#domains/fleet/registrations/objects-in-cluster.ts'
import type { FleetSettings } from '#domains/fleet/settings.ts'
import type { Declared } from '#domains/fleet/fleet-context.ts'
import { applicationSetIn, type ArgoSettings } from './wanted-registrations.ts'

export function managementOf({ kubeconfig, context }: ArgoSettings): Kubernetes {
  return kubernetesAt(findCluster(clusterSurroundings(resolve(kubeconfig), context)))
}

/** Where Argo CD's cluster can't be reached, only what is registered there can't be seen. Everything else goes on. */
function managementOr(argocd: ArgoSettings): Kubernetes {
  try {
    return managementOf(argocd)
  } catch (thrown) {
    const facts = factsOf(problemOf(thrown))
    const suggestion = 'see argocd.kubeconfig and argocd.context in fleet.yaml'
    const problem = new Problem({ ...facts, type: 'runtime', suggestion, cause: thrown })
    const refuse = (): Promise<never> => Promise.reject(problem)
    const nobody: Kubernetes = {
      server: argocd.kubeconfig,
      namespace: '',
      ask: refuse,
      stream: refuse,
      as: () => nobody,
      close: () => undefined,
    }
    return nobody
  }
}

export function argoRegistrations(
  argocd: ArgoSettings,
  settings: FleetSettings,
  declared: Declared,
  isWanted: (row: ClusterRow) => boolean,
  connections: ClusterConnections,
): readonly Registration[] {
  const { namespace = 'argocd', host } = argocd
  const management = managementOr(argocd)
  const fleet = settings.name ?? 'fleet'
  const secrets = argoSecretRegistration({
    management,
    namespace,
    fleet,
    host,
    isWanted,
    connections,
  })
  const set = applicationSetIn(argocd, settings)
  if (set === undefined) return [secrets]
  const input = { management, ...set }
  const kept = declared.rows.filter((row) => row.desired === 'present' && isWanted(row))
  const names = new Set(kept.map((row) => row.name))
  return [secrets, applicationSetRegistration(input), applicationsRegistration(input, names)]
}
