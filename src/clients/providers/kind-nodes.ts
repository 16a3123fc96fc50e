/** What the engine tells of kind's nodes: which clusters they are of, what they publish and whether they run. Pure. */
import { recordOf, textMapOf, textOf } from '#model/read-json.ts'
import type { JsonRecord } from '#model/json.ts'
import type { ListedCluster } from './provider.ts'
import { publishedTo } from './published-ports.ts'

const clusterLabel = 'io.x-k8s.kind.cluster'
const roleLabel = 'io.x-k8s.kind.role'

export function kindClustersIn(
  containers: readonly JsonRecord[],
): ReadonlyMap<string, ListedCluster> {
  const byCluster = new Map<string, JsonRecord[]>()
  for (const container of containers) {
    const name = labelsOf(container)[clusterLabel] ?? ''
    if (name !== '') byCluster.set(name, [...(byCluster.get(name) ?? []), container])
  }
  return new Map([...byCluster].map(([name, nodes]) => [name, clusterOf(nodes)]))
}

function clusterOf(nodes: readonly JsonRecord[]): ListedCluster {
  const ofRole = (role: string): readonly JsonRecord[] =>
    nodes.filter((node) => labelsOf(node)[roleLabel] === role)
  const servers = ofRole('control-plane').toSorted((one, other) =>
    nameOf(one) < nameOf(other) ? -1 : 1,
  )
  const first = servers[0] ?? {}
  const bindings = servers.map((node) => recordOf(node['HostConfig'])['PortBindings'])
  const balancers = ofRole('external-load-balancer').map(
    (node) => recordOf(node['HostConfig'])['PortBindings'],
  )
  const published = (port: number) =>
    [...balancers, ...bindings]
      .map((one) => publishedTo(one, port))
      .find((one) => one !== undefined)
  const id = textOf(first['Id'])
  const isUp = (node: JsonRecord): boolean =>
    textOf(recordOf(node['State'])['Status']) === 'running'
  const isRunning = nodes.every(isUp)
  return {
    isRunning,
    ...(!isRunning && servers.every(isUp) ? { stoppedPart: 'a node of it' } : {}),
    serverIp: undefined,
    ...(id === '' ? { missingPart: 'its control plane' } : { identity: `node:${id}` }),
    facts: {
      httpPort: published(80)?.hostPort ?? null,
      httpsPort: published(443)?.hostPort ?? null,
      servers: servers.length,
      agents: ofRole('worker').length,
      apiAddress: published(6443)?.hostAddress ?? null,
      image: imageOf(first),
    },
  }
}

/** The name of the image, which Docker keeps under Config and Podman beside it. */
function imageOf(node: JsonRecord): string | undefined {
  return textOf(node['ImageName']) || textOf(recordOf(node['Config'])['Image']) || undefined
}

function nameOf(node: JsonRecord): string {
  return textOf(node['Name'])
}

function labelsOf(container: JsonRecord): Readonly<Record<string, string>> {
  return textMapOf(recordOf(container['Config'])['Labels'])
}
