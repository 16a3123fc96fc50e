/** Every cluster that is spoken to, in every name: one client and one discovery for each pair, shared by all who ask. */
import { createHash } from 'node:crypto'
import { Problem } from '#model/problem.ts'
import { kubernetesAt, type Kubernetes } from './client.ts'
import type { ClusterAccess } from './cluster-access.ts'
import { discoveryOf, type Discovery } from './discovery.ts'
import { accessFrom, type KubeconfigFile } from './kubeconfig.ts'

export type Line = {
  /** Equal for equal clusters and users, so that others can keep what belongs to such a pair under it. */
  readonly key: string
  readonly kubernetes: Kubernetes
  readonly discovery: Discovery
}

export type Clusters = {
  /** The cluster that Tend runs in or was pointed at. `user` is the user in whose name calls are made, as `accountUser` writes it. */
  local(user?: string): Line
  /** The cluster of a kubeconfig that was found in a cluster. It may start no program and name no file. */
  remote(kubeconfig: KubeconfigFile, user?: string): Line
  /** Ends all connections. */
  close(): void
}

/** Writes a service account as Kubernetes names it. */
export function accountUser(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`
}

export function clustersOf(
  home: ClusterAccess,
  speak: (access: ClusterAccess) => Kubernetes = kubernetesAt,
): Clusters {
  const clients = new Map<string, Kubernetes>()
  const lines = new Map<string, Line>()

  function lineOf(cluster: string, access: () => ClusterAccess, user: string | undefined): Line {
    const key = user === undefined ? cluster : `${cluster} as ${user}`
    const known = lines.get(key)
    if (known !== undefined) return known
    const client = clients.get(cluster) ?? speak(access())
    clients.set(cluster, client)
    const kubernetes = user === undefined ? client : client.as({ user })
    const line = { key, kubernetes, discovery: discoveryOf(kubernetes) }
    lines.set(key, line)
    return line
  }

  return {
    local: (user) => lineOf('', () => home, user),
    remote(kubeconfig, user) {
      const hash = createHash('sha256').update(kubeconfig.text).digest('hex').slice(0, 16)
      return lineOf(hash, () => accessFrom([kubeconfig], { read, isConfined: true }), user)
    },
    close() {
      for (const client of clients.values()) client.close()
      clients.clear()
      lines.clear()
    },
  }
}

function read(path: string, from: string): string {
  const message = `the kubeconfig ${from} names the file ${path} of this machine`
  throw new Problem({ type: 'configuration', code: 'denied', message })
}
