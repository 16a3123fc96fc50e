/** Which kinds a cluster serves and under which paths: asked in two calls, kept, and asked again when something may have changed. */
import { recordOf, recordsOf, textOf, textsOf } from '#model/read-json.ts'
import type { JsonRecord } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import { kindsOf, type ApiKind } from '#formats/manifest/api-kind.ts'
import type { Kubernetes } from './client.ts'
import { olderGroups } from './older-discovery.ts'

export type { ApiKind }

export type Discovery = {
  /** Undefined when the cluster does not serve the kind. Before it says so, the cluster is asked once more. */
  find(apiVersion: string, kind: string, signal: AbortSignal): Promise<ApiKind | undefined>
  /** The same as `find`, but throws where the kind is not served. */
  need(apiVersion: string, kind: string, signal: AbortSignal): Promise<ApiKind>
  /** Every kind in the version that its group prefers. */
  preferred(signal: AbortSignal): Promise<readonly ApiKind[]>
  /** What a CustomResourceDefinition brings is known from now on, whether or not the cluster lists it already. */
  learn(definition: JsonRecord): void
  /** Something changed, so that the next call asks the cluster. */
  invalidate(): void
}

const aggregated =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,' +
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json'

type Half = {
  readonly etag: string
  readonly kinds: readonly ApiKind[]
  readonly preferred: readonly ApiKind[]
}

export function discoveryOf(kubernetes: Kubernetes): Discovery {
  const halves = new Map<string, Half>()
  let known: ReadonlyMap<string, ApiKind> | undefined
  let learnt = new Map<string, ApiKind>()
  let running: Promise<ReadonlyMap<string, ApiKind>> | undefined

  async function half(path: string, signal: AbortSignal): Promise<void> {
    const before = halves.get(path)
    const { status, body, headers } = await kubernetes.ask('GET', path, {
      accept: aggregated,
      headers: before === undefined || before.etag === '' ? {} : { 'if-none-match': before.etag },
      fine: [304],
      signal,
      doing: 'could not ask which kinds the cluster serves',
    })
    if (status !== 304) {
      halves.set(path, await halfOf(kubernetes, textOf(headers.etag), recordOf(body), signal))
    }
  }

  async function load(signal: AbortSignal): Promise<ReadonlyMap<string, ApiKind>> {
    await Promise.all([half('/api', signal), half('/apis', signal)])
    const kinds = [...halves.values()].flatMap((each) => each.kinds)
    known = new Map(kinds.map((kind) => [keyOf(kind.apiVersion, kind.kind), kind]))
    // what the list has by now need not be remembered apart from it, and may go with it one day
    learnt = new Map([...learnt].filter(([key]) => known?.has(key) !== true))
    return known
  }

  /** Callers that come while the cluster is being asked get the same answer. */
  function reload(signal: AbortSignal): Promise<ReadonlyMap<string, ApiKind>> {
    running ??= load(signal).finally(() => (running = undefined))
    return running
  }

  async function find(apiVersion: string, kind: string, signal: AbortSignal) {
    const key = keyOf(apiVersion, kind)
    const found = known?.get(key) ?? learnt.get(key)
    return found ?? (await reload(signal)).get(key)
  }

  async function need(apiVersion: string, kind: string, signal: AbortSignal): Promise<ApiKind> {
    const found = await find(apiVersion, kind, signal)
    if (found === undefined) throw unknownKind(apiVersion, kind)
    return found
  }
  return {
    find,
    need,
    async preferred(signal) {
      if (known === undefined) await reload(signal)
      const listed = [...halves.values()].flatMap((each) => each.preferred)
      // a definition is in force a moment before the list has it
      const all = new Map(
        [...learnt.values(), ...listed].map((one) => [`${one.kind}.${one.group}`, one]),
      )
      return [...all.values()]
    },
    learn(definition) {
      for (const kind of kindsOf(definition)) learnt.set(keyOf(kind.apiVersion, kind.kind), kind)
    },
    invalidate() {
      known = undefined
      learnt = new Map()
    },
  }
}

function keyOf(apiVersion: string, kind: string): string {
  return `${apiVersion} ${kind}`
}

function unknownKind(apiVersion: string, kind: string): Problem {
  return new Problem({
    type: 'validation',
    code: 'unknown_kind',
    message: `the cluster knows no kind ${kind} in ${apiVersion}`,
    suggestion: 'install its CustomResourceDefinition, or correct apiVersion and kind',
  })
}

/** Asks group by group: servers before 1.27, and some proxies, know no other way. */
async function halfOf(
  kubernetes: Kubernetes,
  etag: string,
  body: JsonRecord,
  signal: AbortSignal,
): Promise<Half> {
  const isWhole = body['kind'] === 'APIGroupDiscoveryList'
  const groups = isWhole
    ? recordsOf(body['items']).map(groupKinds)
    : await olderGroups(kubernetes, body, signal)
  const known = isWhole ? etag : ''
  return { etag: known, kinds: groups.flat(2), preferred: groups.flatMap(firstOfEach) }
}

/** The versions of a group, the preferred one first. */
function groupKinds(item: JsonRecord): readonly (readonly ApiKind[])[] {
  const group = textOf(recordOf(item['metadata'])['name'])
  return recordsOf(item['versions']).map((fields) => {
    const version = textOf(fields['version'])
    return recordsOf(fields['resources']).flatMap((resource) => kindOf(group, version, resource))
  })
}

function kindOf(group: string, version: string, resource: JsonRecord): readonly ApiKind[] {
  const answer = recordOf(resource['responseKind'])
  const kind = textOf(answer['kind'])
  if (kind === '') return []
  return [
    {
      apiVersion: group === '' ? version : `${group}/${version}`,
      group,
      version,
      kind,
      plural: textOf(resource['resource']),
      isNamespaced: resource['scope'] === 'Namespaced',
      verbs: textsOf(resource['verbs']),
      subresources: recordsOf(resource['subresources']).map((sub) => textOf(sub['subresource'])),
    },
  ]
}

function firstOfEach(versions: readonly (readonly ApiKind[])[]): readonly ApiKind[] {
  const first = new Map<string, ApiKind>()
  for (const kind of versions.flat()) if (!first.has(kind.kind)) first.set(kind.kind, kind)
  return [...first.values()]
}
