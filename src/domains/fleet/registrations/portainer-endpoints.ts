/** Environments in Portainer as a registration: tags say which are ours and of which cluster, however they are named by now. */
import { serialQueue } from '#engine/serial-queue.ts'
import { isRecord, type Json } from '#model/json.ts'
import type { ClusterRow } from '#model/clusters.ts'
import { refOf } from '#model/ref.ts'
import { problemOf } from '#model/problem.ts'
import type { Endpoint, Portainer } from '#clients/portainer/client.ts'
import { connectionInto } from './argo-secrets.ts'
import { agentMark, agentMarkIn, applyAgent, dropAgent, type EdgeAgent } from './edge-agent.ts'
import type { Registration, SeenRegistration, WantedRegistration } from './registration.ts'
import type { ClusterConnections } from './objects-in-cluster.ts'
import { authorityMark } from '../cluster-spec.ts'

export type EndpointsInput = {
  readonly portainer: Portainer
  /** Where agents call home. */
  readonly edgeUrl: string
  readonly group: number
  /** Whether its agent is put into each cluster. */
  readonly hasAgent: boolean
  readonly owner: string
  readonly fleet: string
  readonly isWanted: (row: ClusterRow) => boolean
  readonly connections: ClusterConnections
  /** Undefined: nobody asked for agents in the clusters. */
  readonly agent: Pick<EdgeAgent, 'image' | 'isInsecure'> | undefined
}

const clusterTag = 'tend-cluster/'

export function wantedEndpoint({
  edgeUrl,
  group,
  hasAgent,
  isWanted,
}: Pick<EndpointsInput, 'edgeUrl' | 'group' | 'hasAgent' | 'isWanted'>): WantedRegistration {
  return {
    kind: 'endpoint',
    noun: 'Portainer environment',
    wanted(row) {
      if (!isWanted(row)) return undefined
      const environment = { name: row.name, url: edgeUrl, group }
      // a cluster that is made anew in this run has no agent any more
      const authority = { from: refOf('cluster', row.name), output: 'authority' }
      return hasAgent ? { ...environment, authority } : environment
    },
    needs: (row) => [{ ref: refOf('cluster', row.name), until: 'healthy', renew: false }],
  }
}

export function endpointRegistration(input: EndpointsInput): Registration {
  const { portainer, fleet, connections } = input
  const ownerTag = `tend/${input.owner}`

  async function ours(signal: AbortSignal): Promise<ReadonlyMap<string, Endpoint>> {
    const [tags, endpoints] = await Promise.all([
      portainer.tags(signal),
      portainer.endpoints(signal),
    ])
    const owner = tags.get(ownerTag)
    const clusters = new Map(
      [...tags].flatMap(([name, id]) =>
        name.startsWith(clusterTag) ? [[id, name.slice(clusterTag.length)]] : [],
      ),
    )
    const own = endpoints.filter((one) => owner !== undefined && one.tags.includes(owner))
    return new Map(
      own.toReversed().map((one) => {
        const name = one.tags.map((tag) => clusters.get(tag)).find((found) => found !== undefined)
        return [name ?? one.name, one]
      }),
    )
  }
  /** Clusters are registered side by side, and a tag that two of them make is refused: one at a time. */
  const oneByOne = serialQueue()
  function tagIds(name: string, signal: AbortSignal): Promise<readonly number[]> {
    return oneByOne(() => tagged(name, signal))
  }
  async function tagged(name: string, signal: AbortSignal): Promise<readonly number[]> {
    const known = await portainer.tags(signal)
    const ids: number[] = []
    for (const tag of [ownerTag, `${clusterTag}${name}`]) {
      ids.push(known.get(tag) ?? (await portainer.addTag(tag, signal)))
    }
    return ids
  }
  /** Where an agent calls home can't be changed: then the environment is made anew. */
  async function environment(name: string, spec: Json, signal: AbortSignal): Promise<Endpoint> {
    const wanted = wantedIn(spec)
    const known = (await ours(signal)).get(name)
    // tags that people put there are theirs
    const tags = [...new Set([...(known?.tags ?? []), ...(await tagIds(name, signal))])]
    if (known !== undefined && known.url === wanted.url) {
      await portainer.changeEndpoint(known.id, { ...wanted, tags }, signal)
      return known
    }
    if (known !== undefined) await portainer.removeEndpoint(known.id, signal)
    return portainer.addEndpoint({ ...wanted, tags }, signal)
  }
  /** Where Portainer gave the environment an id, or took the first caller's, no other is believed. */
  function agentOf(name: string, { edgeKey: key, edgeId }: Endpoint): EdgeAgent | undefined {
    const id = edgeId === '' ? name : edgeId
    return input.agent === undefined ? undefined : { ...input.agent, id, key, fleet }
  }
  async function drift(name: string, endpoint: Endpoint, signal: AbortSignal): Promise<string> {
    const agent = agentOf(name, endpoint)
    const inside = agent === undefined ? undefined : connectionInto(name, connections)
    if (agent === undefined) return ''
    if (inside === undefined) return 'its cluster has no agent'
    try {
      const mark = await agentMarkIn(inside.api, signal)
      if (mark === agentMark(agent)) return ''
      return mark === '' ? 'its cluster has no agent' : 'the agent in its cluster is another'
    } catch (thrown) {
      signal.throwIfAborted()
      return `its agent can't be seen: ${problemOf(thrown).message}`
    } finally {
      inside.api.close()
    }
  }
  /** Of the cluster that stands now, as its output says it. */
  function authorityOf(name: string): string {
    const inside = connectionInto(name, connections)
    inside?.api.close()
    return inside === undefined ? '' : authorityMark(inside.ca)
  }
  async function seen(
    one: readonly [string, Endpoint],
    rows: ReadonlySet<string>,
    to: AbortSignal,
  ) {
    const [cluster, endpoint] = one
    const { name, url, group: at } = endpoint
    const wrong = rows.has(cluster) ? await drift(cluster, endpoint, to) : ''
    const authority = input.hasAgent ? { authority: authorityOf(cluster) } : {}
    const found: SeenRegistration = { spec: { name, url, group: at, ...authority } }
    return [cluster, wrong === '' ? found : { ...found, drift: wrong }] as const
  }

  /** The tag of a cluster goes with its environment, unless that of another fleet carries it too. */
  async function dropTag(name: string, signal: AbortSignal): Promise<void> {
    const tag = (await portainer.tags(signal)).get(`${clusterTag}${name}`)
    if (tag === undefined) return
    const endpoints = await portainer.endpoints(signal)
    if (!endpoints.some(({ tags }) => tags.includes(tag))) await portainer.removeTag(tag, signal)
  }
  /** An agent that was applied may never start: only its call tells that it runs. */
  async function silentAgents(signal: AbortSignal): Promise<readonly string[]> {
    const all = [...(await ours(signal))].filter(([, { isAlive }]) => !isAlive)
    return all.map(([cluster, { lastCheckIn }]) => {
      const when =
        lastCheckIn === 0
          ? 'never called Portainer'
          : `called Portainer last at ${new Date(lastCheckIn * 1000).toISOString()}`
      return `${cluster}: its agent ${when} (kubectl -n portainer-edge logs deploy/portainer-edge-agent tells why)`
    })
  }

  return {
    ...wantedEndpoint(input),
    async list(rows, signal) {
      const all = await ours(signal)
      return new Map(await Promise.all([...all].map((one) => seen(one, rows, signal))))
    },
    async put(name, spec, { signal }) {
      const agent = agentOf(name, await environment(name, spec, signal))
      if (agent === undefined) return
      const { api } = connections.open(name)
      try {
        await applyAgent(api, agent, signal)
      } finally {
        api.close()
      }
    },
    close: () => portainer.close(),
    ...(input.agent === undefined
      ? {}
      : {
          lacks: silentAgents,
          covers: 'Portainer agents',
          covered: 'all called Portainer lately',
        }),
    /** A cluster that stays keeps no agent of ours. */
    async remove(name, { signal, warn }) {
      const known = (await ours(signal)).get(name)
      if (known !== undefined) await portainer.removeEndpoint(known.id, signal)
      await oneByOne(() => dropTag(name, signal))
      const inside = input.agent === undefined ? undefined : connectionInto(name, connections)
      if (inside === undefined) return
      try {
        await dropAgent(inside.api, fleet, signal)
      } catch (thrown) {
        signal.throwIfAborted()
        warn(problemOf(thrown).message)
      } finally {
        inside.api.close()
      }
    },
  }
}

function wantedIn(spec: Json): Pick<Endpoint, 'name' | 'url' | 'group'> {
  const { name, url, group } = isRecord<Json>(spec) ? spec : {}
  if (typeof name !== 'string' || typeof url !== 'string' || typeof group !== 'number') {
    throw new TypeError('no endpoint')
  }
  return { name, url, group }
}
