/** ConfigMaps and Secrets that Flux's objects name: each watched, so that what depends on one hears of a change at once. */
import { textMapOf, textOf } from '#model/read-json.ts'
import type { Kubernetes } from '#clients/kubernetes/client.ts'
import { metadataOf } from '#formats/manifest/metadata.ts'
import { watchObjects } from '#clients/kubernetes/watch.ts'
import type { Clock } from '#model/clock.ts'
import type { JsonRecord } from '#model/json.ts'
import { configMaps, secrets } from './kinds.ts'

export type Reference = {
  readonly kind: 'ConfigMap' | 'Secret'
  readonly namespace: string
  readonly name: string
}

export type Referenced = {
  /** Changes whenever the content does. */
  readonly version: string
  has(key: string): boolean
  /** Its values, decoded. */
  values(): ReadonlyMap<string, string>
}

export type References = {
  /** These and no others are watched from now on. Resolves when each was seen once, or could not be. */
  want(references: readonly Reference[]): Promise<void>
  /** Undefined when it is not there; a text says why nobody knows. */
  find(reference: Reference): Referenced | string | undefined
  close(): void
}

type Watched = {
  readonly stop: AbortController
  readonly seen: Promise<void>
  object: JsonRecord | undefined
  why: string | undefined
}

export function referencesIn(
  kubernetes: Kubernetes,
  clock: Clock,
  changed: (reference: Reference) => void,
): References {
  const watched = new Map<string, Watched>()

  function begin(reference: Reference): Watched {
    const stop = new AbortController()
    let tell = (): void => undefined
    const seen = new Promise<void>((resolve) => (tell = resolve))
    const one: Watched = { stop, seen, object: undefined, why: undefined }
    void follow(reference, one, tell).finally(tell)
    return one
  }

  async function follow(reference: Reference, one: Watched, seen: () => void): Promise<void> {
    const { namespace, name } = reference
    const kind = reference.kind === 'Secret' ? secrets : configMaps
    const selection = { namespace, fields: `metadata.name=${name}` }
    const { signal } = one.stop
    try {
      let isFirst = true
      for await (const event of watchObjects(kubernetes, kind, selection, { clock, signal })) {
        if (event.kind === 'lost') one.why = event.problem.message
        else {
          one.why = undefined
          one.object = event.kind === 'listed' ? event.objects[0] : presentIn(event)
        }
        seen()
        if (!isFirst) changed(reference)
        isFirst = false
      }
    } catch (thrown) {
      if (signal.aborted) return
      one.why = thrown instanceof Error ? thrown.message : String(thrown)
      changed(reference)
    }
  }

  return {
    async want(references) {
      const wanted = new Map(references.map((reference) => [keyOf(reference), reference]))
      for (const [key, { stop }] of watched) {
        if (wanted.has(key)) continue
        stop.abort()
        watched.delete(key)
      }
      for (const [key, reference] of wanted) {
        if (!watched.has(key)) watched.set(key, begin(reference))
      }
      await Promise.all([...watched.values()].map(({ seen }) => seen))
    },
    find(reference) {
      const one = watched.get(keyOf(reference))
      if (one === undefined) return undefined
      return one.object === undefined ? one.why : referencedOf(reference, one.object)
    },
    close() {
      for (const { stop } of watched.values()) stop.abort()
      watched.clear()
    },
  }
}

function presentIn(event: { readonly kind: string; readonly object: JsonRecord }) {
  return event.kind === 'removed' ? undefined : event.object
}

function referencedOf({ kind }: Reference, object: JsonRecord): Referenced {
  const { uid, resourceVersion } = metadataOf(object)
  const data = textMapOf(object['data'])
  return {
    version: `${uid} ${resourceVersion}`,
    has: (key) => textOf(data[key]) !== '',
    values() {
      const pairs = Object.entries(data).map(([key, value]) => {
        const text = kind === 'Secret' ? Buffer.from(value, 'base64').toString('utf8') : value
        return [key, text] as const
      })
      return new Map(pairs)
    },
  }
}

export function keyOf({ kind, namespace, name }: Reference): string {
  return `${kind} ${namespace}/${name}`
}
