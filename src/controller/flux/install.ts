/** Puts Tend into a cluster, object by object, each checked by the server. */
import { recordOf, recordsOf, textOf } from '#model/read-json.ts'
import type { Line } from '#clients/kubernetes/clusters.ts'
import type { Kubernetes } from '#clients/kubernetes/client.ts'
import { applyObject, deleteObject, getObject } from '#clients/kubernetes/objects.ts'
import { metadataOf } from '#formats/manifest/metadata.ts'
import { type ObjectPlace } from '#clients/kubernetes/api-path.ts'
import { untilObject } from '#domains/kustomizations/operate/wait-for-object.ts'
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
    if (kindName === 'ClusterRoleBinding') await removeOtherRole(kubernetes, place, object, signal)
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

/** Which role is bound can't be changed: with tenants it is another one than without, and the binding is made anew. */
async function removeOtherRole(
  kubernetes: Kubernetes,
  place: ObjectPlace,
  object: JsonRecord,
  signal: AbortSignal,
): Promise<void> {
  const live = await getObject(kubernetes, place, signal)
  if (live === undefined) return
  const [now, wanted] = [recordOf(live['roleRef'])['name'], recordOf(object['roleRef'])['name']]
  if (now !== wanted) await deleteObject(kubernetes, place, { signal })
}

function isEstablished(definition: JsonRecord | undefined): boolean {
  const conditions = recordsOf(recordOf(definition?.['status'])['conditions'])
  return conditions.some(({ type, status }) => type === 'Established' && status === 'True')
}

function notServed(name: string): Problem {
  const message = `the cluster does not serve ${name} a minute after it was defined`
  return new Problem({ type: 'runtime', code: 'timed_out', message })
}
