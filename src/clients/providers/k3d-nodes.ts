/** What k3d's list tells of one cluster: its nodes, what they publish, and parts that were removed. Pure. */
import { createHash } from 'node:crypto'
import { numberOf, recordOf, recordsOf, textMapOf, textOf } from '#model/read-json.ts'
import type { JsonRecord } from '#model/json.ts'
import type { ClusterFacts, ListedCluster } from './provider.ts'
import { publishedTo } from './published-ports.ts'

const tokenLabel = 'k3d.cluster.token'

/** Lines of the engine, `k3d-dev-server-0 rancher/k3s:v1.31.5-k3s1`: images by the names of nodes. An image that lost its name is told by its id. */
export function k3dImagesIn(text: string): ReadonlyMap<string, string> {
  const pairs = text.split('\n').map((line) => line.trim().split(' '))
  return new Map(
    pairs.flatMap(([node = '', image = '']) => {
      const isNamed = image !== '' && !/^(sha256:)?[0-9a-f]{12,64}$/.test(image)
      return isNamed ? [[node, image] as const] : []
    }),
  )
}

/** `images` are the images of nodes, by the name of the node. */
export function k3dClusterIn(
  cluster: JsonRecord,
  images: ReadonlyMap<string, string>,
): ListedCluster {
  const nodes = recordsOf(cluster['nodes'])
  const servers = nodes.filter(({ role }) => role === 'server')
  const balancers = nodes.filter(({ role }) => role === 'loadbalancer')
  const ip = servers.map((node) => textOf(recordOf(node['IP'])['IP'])).find((one) => one !== '')
  const count = (field: string): number => numberOf(cluster[field])
  const areServersUp =
    count('serversRunning') > 0 && count('serversRunning') === count('serversCount')
  const isBalancerDown = balancers.some((node) => recordOf(node['State'])['Running'] === false)
  const isAgentDown = count('agentsRunning') !== count('agentsCount')
  const stoppedPart = isBalancerDown
    ? 'its load balancer'
    : isAgentDown
      ? 'an agent of it'
      : undefined
  const missingPart = missingIn(servers, balancers, nodes)
  return {
    isRunning: areServersUp && stoppedPart === undefined,
    ...(areServersUp ? { stoppedPart } : {}),
    serverIp: ip,
    identity: identityOf(servers, nodes),
    facts: factsOf(servers, balancers, nodes, images),
    ...(missingPart === undefined ? {} : { missingPart }),
  }
}

/** A cluster whose API is published by its load balancer was made with one: the servers of others publish it themselves. */
function missingIn(
  servers: readonly JsonRecord[],
  balancers: readonly JsonRecord[],
  nodes: readonly JsonRecord[],
): string | undefined {
  if (nodes.length === 0) return undefined
  if (servers.length === 0) return 'its server'
  const isReached = servers.some((node) => publishedTo(node['portMappings'], 6443) !== undefined)
  return balancers.length === 0 && !isReached ? 'its load balancer' : undefined
}

/** The first server is made with the cluster, and so is its token, which all nodes carry. Tokens are secrets: only a hash is kept. */
function identityOf(
  servers: readonly JsonRecord[],
  nodes: readonly JsonRecord[],
): string | undefined {
  const created = servers
    .filter((node) => textOf(node['name']).endsWith('-server-0'))
    .map((node) => textOf(node['created']))
    .find((one) => one !== '')
  const token = nodes
    .map((node) => textMapOf(node['runtimeLabels'])[tokenLabel] ?? '')
    .find((one) => one !== '')
  const parts = [
    ...(token === undefined ? [] : [`token:${hashOf(token)}`]),
    ...(created === undefined ? [] : [`created:${created}`]),
  ]
  return parts.length === 0 ? undefined : parts.join(' ')
}

function hashOf(text: string): string {
  return createHash('sha256').update(`k3d ${text}`).digest('hex').slice(0, 32)
}

/** Undefined where the list has no nodes, or none that publish anything because one was removed. */
function factsOf(
  servers: readonly JsonRecord[],
  balancers: readonly JsonRecord[],
  nodes: readonly JsonRecord[],
  images: ReadonlyMap<string, string>,
): ClusterFacts | undefined {
  if (nodes.length === 0) return undefined
  const image = servers
    .map((node) => images.get(textOf(node['name'])))
    .find((one) => one !== undefined)
  const all = [...balancers, ...servers].map((node) => node['portMappings'])
  const published = (port: number) =>
    all.map((one) => publishedTo(one, port)).find((one) => one !== undefined)
  return {
    httpPort: published(80)?.hostPort ?? null,
    httpsPort: published(443)?.hostPort ?? null,
    servers: servers.length,
    agents: nodes.filter(({ role }) => role === 'agent').length,
    apiAddress: published(6443)?.hostAddress ?? null,
    ...(image === undefined ? {} : { image }),
  }
}
