/** Puts Tend into a cluster, object by object, each checked by the server. */
import { recordOf, recordsOf, textOf } from '#clients/http/read.ts'
import type { Line } from '#clients/kubernetes/clusters.ts'
import { applyObject } from '#clients/kubernetes/objects.ts'
import { metadataOf } from '#clients/kubernetes/place.ts'
import { untilObject } from '#domains/kustomizations/until-object.ts'
import type { Clock } from '#model/clock.ts'
import type { JsonRecord } from '#model/json.ts'
import { Problem } from '#model/problem.ts'

const patience = 60_000

/** `tell` hears of each that is in place. */
export async function install(
  { kubernetes, discovery }: Line,
  manifests: readonly JsonRecord[],
  around: { readonly clock: Clock; readonly signal: AbortSignal },
  tell: (words: string) => void,
): Promise<void> {
  const { clock, signal } = around
  for (const object of manifests) {
    const kindName = textOf(object['kind'])
    const kind = await discovery.need(textOf(object['apiVersion']), kindName, signal)
    const { namespace, name } = metadataOf(object)
    const place = { kind, namespace, name }
    const writing = { signal, manager: 'tend', isForced: true }
    await applyObject(kubernetes, place, object, writing)
    if (kindName === 'CustomResourceDefinition') {
      const isServed = await untilObject(
        { kubernetes, clock },
        place,
        isEstablished,
        patience,
        signal,
      )
      if (!isServed) throw notServed(name)
    }
    tell(`${kindName} ${namespace === '' ? '' : `${namespace}/`}${name}`)
  }
  discovery.invalidate()
}

function isEstablished(definition: JsonRecord | undefined): boolean {
  const conditions = recordsOf(recordOf(definition?.['status'])['conditions'])
  return conditions.some(({ type, status }) => type === 'Established' && status === 'True')
}

function notServed(name: string): Problem {
  const message = `the cluster does not serve ${name} a minute after it was defined`
  return new Problem({ type: 'runtime', code: 'timed_out', message })
}
