/** Waits for something to become so of one object, by watching it alone. */
import type { Kubernetes } from '#clients/kubernetes/client.ts'
import { metadataOf } from '#formats/manifest/metadata.ts'
import { type ObjectPlace } from '#clients/kubernetes/api-path.ts'
import { watchObjects, type WatchEvent } from '#clients/kubernetes/watch.ts'
import type { Clock } from '#model/clock.ts'
import type { JsonRecord } from '#model/json.ts'

/** Whether it became so within the limit, ms. `isSo` is asked of each state that is seen, and of its absence. */
export async function untilObject(
  { kubernetes, clock }: { readonly kubernetes: Kubernetes; readonly clock: Clock },
  { kind, namespace, name }: ObjectPlace,
  isSo: (object: JsonRecord | undefined) => boolean,
  limit: number,
  signal: AbortSignal,
): Promise<boolean> {
  const over = new AbortController()
  const both = AbortSignal.any([signal, over.signal])
  const timer = clock.sleep(limit, both).then(
    () => over.abort(),
    () => undefined,
  )
  const selection = { fields: `metadata.name=${name}`, ...(kind.isNamespaced ? { namespace } : {}) }
  try {
    for await (const event of watchObjects(kubernetes, kind, selection, { clock, signal: both })) {
      if (event.kind !== 'lost' && isSo(stateOf(event, name))) return true
    }
    return false
  } catch (error) {
    signal.throwIfAborted()
    if (over.signal.aborted) return false
    throw error
  } finally {
    over.abort()
    await timer
  }
}

function stateOf(
  event: Exclude<WatchEvent, { readonly kind: 'lost' }>,
  name: string,
): JsonRecord | undefined {
  if (event.kind === 'removed') return undefined
  if (event.kind !== 'listed') return event.object
  return event.objects.find((object) => metadataOf(object).name === name)
}
