/** Objects that two sets declared, and whose labels name one that went before it could hand them over: they go with the last. */
import { getObject } from '#clients/kubernetes/objects.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Ref } from '#model/ref.ts'
import { forEachConcurrently } from '../for-each-concurrently.ts'
import { marksOf } from './change-marks.ts'
import type { SetContext } from '../memory.ts'
import { ownerIn, refOfObject, type Owner } from '../object.ts'
import type { ListedObject } from './list-set.ts'

/** Calls under way at once. */
const width = 16

export async function addAbandoned(
  context: SetContext,
  objects: Map<Ref, ListedObject>,
  signal: AbortSignal,
): Promise<void> {
  if (context.isAbandoned === undefined) return
  const names = (context.inventory ?? []).filter((name) => !objects.has(refOfObject(name)))
  await forEachConcurrently(width, names, async (name) => {
    const kind = await context.discovery.find(name.apiVersion, name.kind, signal)
    if (kind === undefined) return
    const place = { kind, namespace: name.namespace, name: name.name }
    const object = await getObject(context.kubernetes, place, signal)
    if (object === undefined || ownerFor(context, object) === context.owner) return
    objects.set(refOfObject(name), { object, marks: marksOf(object), isWhole: true })
  })
}

/** In whose name it may be removed. */
export function ownerFor({ owner, isAbandoned }: SetContext, object: JsonRecord): Owner {
  const other = ownerIn(object)
  return other !== undefined && isAbandoned?.(other) === true ? other : owner
}
