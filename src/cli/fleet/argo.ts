/** What Argo CD gets to know of a fleet, as fleet.yaml says. */
import { resolve } from 'node:path'
import type { ClusterRow } from '#model/clusters.ts'
import { factsOf, Problem, problemOf } from '#model/problem.ts'
import { kubernetesAt, type Kubernetes } from '#clients/kubernetes/client.ts'
import { clusterSurroundings, findCluster } from '#clients/kubernetes/find-cluster.ts'
import { argoFacet } from '#domains/fleet/argo-secrets.ts'
import { argoApplicationsFacet, argoSetFacet } from '#domains/fleet/argo-sets.ts'
import type { Facet } from '#domains/fleet/facet.ts'
import type { Ways } from '#domains/fleet/inside.ts'
import type { FleetSettings } from '#domains/fleet/settings.ts'
import type { Declared } from '#domains/fleet/site.ts'
import { missing } from './settings.ts'

export type ArgoSettings = NonNullable<FleetSettings['argocd']>

export function managementOf({ kubeconfig, context }: ArgoSettings): Kubernetes {
  return kubernetesAt(findCluster(clusterSurroundings(resolve(kubeconfig), context)))
}

/** Where there is no way in, only what is registered there can't be seen: everything else goes on. */
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

export function argoFacets(
  argocd: ArgoSettings,
  settings: FleetSettings,
  declared: Declared,
  isWanted: (row: ClusterRow) => boolean,
  ways: Ways,
): readonly Facet[] {
  const { namespace = 'argocd', host, applicationSet } = argocd
  const management = managementOr(argocd)
  const fleet = settings.name ?? 'fleet'
  const shared = { management, namespace, fleet }
  const secrets = argoFacet({ ...shared, host, isWanted, ways })
  if (applicationSet === undefined) return [secrets]
  const { name = 'whoami', path = 'deploy', project = 'default', parameters = {} } = applicationSet
  const repository =
    applicationSet.repository ??
    settings.git?.url ??
    missing('argocd.applicationSet', 'repository, nor git.url')
  const set = { name, repository, path, project, parameters }
  const input = { ...shared, set: { ...set, namespace: applicationSet.namespace ?? name } }
  const kept = declared.rows.filter((row) => row.desired === 'present' && isWanted(row))
  const names = new Set(kept.map((row) => row.name))
  return [secrets, argoSetFacet(input), argoApplicationsFacet(input, names)]
}
