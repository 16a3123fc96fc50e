/** The cluster that a command speaks to. */
import { clustersOf, type Clusters } from '#clients/kubernetes/clusters.ts'
import { clusterSurroundings, findCluster } from '#clients/kubernetes/find-cluster.ts'
import type { ClusterAsked } from './open-kube.ts'

export async function withCluster<Result>(
  { kubeconfig, context }: ClusterAsked,
  work: (clusters: Clusters) => Promise<Result>,
): Promise<Result> {
  const clusters = clustersOf(findCluster(clusterSurroundings(kubeconfig, context)))
  try {
    return await work(clusters)
  } finally {
    clusters.close()
  }
}
