/** Ways into the clusters of a fleet, by the kubeconfig files that are kept of them. */
import { join } from 'node:path'
import { kubernetesAt } from '#clients/kubernetes/client.ts'
import { clusterSurroundings, findCluster } from '#clients/kubernetes/find-cluster.ts'
import type { ClusterAccess } from '#clients/kubernetes/cluster-access.ts'
import type { ClusterConnections } from '#domains/fleet/registrations/objects-in-cluster.ts'
import type { FleetAround } from './around.ts'

const patience = 5_000

export function clusterConnectionsIn(folder: string, { clock }: FleetAround): ClusterConnections {
  function access(name: string): ClusterAccess {
    return findCluster(clusterSurroundings(join(folder, 'kubeconfigs', `${name}.yaml`)))
  }
  return {
    open(name) {
      const found = access(name)
      return { api: kubernetesAt(found), ca: found.ca }
    },
    async accepts(name, token, signal) {
      try {
        const credential = async () => ({ authorization: `Bearer ${token}` })
        const api = kubernetesAt({ ...access(name), credential })
        try {
          const how = { signal, fine: [401], silence: patience, doing: 'could not try a token' }
          return (await api.ask('GET', '/version', how)).status !== 401
        } finally {
          api.close()
        }
      } catch {
        // a cluster that does not answer proves nothing against the token
        signal.throwIfAborted()
        return true
      }
    },
    sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
  }
}
