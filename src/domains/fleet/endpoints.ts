/** Environments in Portainer as a facet: tags say which are ours and of which cluster, however they are named by now. */
import { isRecord, type Json } from '#model/json.ts'
import type { ClusterRow } from '#model/clusters.ts'
import { refOf } from '#model/ref.ts'
import type { Endpoint, Portainer } from '#clients/portainer/client.ts'
import type { Facet, FacetSeen } from './facet.ts'

export type EndpointsInput = {
  readonly portainer: Portainer
  /** Where agents call home. */
  readonly edgeUrl: string
  readonly group: number
  readonly owner: string
  readonly isWanted: (row: ClusterRow) => boolean
}

const clusterTag = 'tend-cluster/'

export function endpointsFacet(input: EndpointsInput): Facet {
  const { portainer, edgeUrl, group } = input
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
  async function tagIds(name: string, signal: AbortSignal): Promise<readonly number[]> {
    const known = await portainer.tags(signal)
    const ids: number[] = []
    for (const tag of [ownerTag, `${clusterTag}${name}`]) {
      ids.push(known.get(tag) ?? (await portainer.addTag(tag, signal)))
    }
    return ids
  }

  return {
    kind: 'endpoint',
    noun: 'Portainer environment',
    wanted: (row) => (input.isWanted(row) ? { name: row.name, url: edgeUrl, group } : undefined),
    needs: (row) => [{ ref: refOf('cluster', row.name), until: 'healthy', renew: false }],
    async list(_wanted, signal) {
      const found = new Map<string, FacetSeen>()
      for (const [cluster, { name, url, group: at }] of await ours(signal)) {
        found.set(cluster, { spec: { name, url, group: at } })
      }
      return found
    },
    /** Where an agent calls home can't be changed: then it is made anew. */
    async put(name, spec, { signal }) {
      const wanted = wantedIn(spec)
      const known = (await ours(signal)).get(name)
      const tags = await tagIds(name, signal)
      if (known !== undefined && known.url === wanted.url) {
        await portainer.changeEndpoint(known.id, { ...wanted, tags }, signal)
        return
      }
      if (known !== undefined) await portainer.removeEndpoint(known.id, signal)
      await portainer.addEndpoint({ ...wanted, tags }, signal)
    },
    async remove(name, { signal }) {
      const known = (await ours(signal)).get(name)
      if (known !== undefined) await portainer.removeEndpoint(known.id, signal)
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
