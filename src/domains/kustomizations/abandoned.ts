/** Objects that two sets declared, and whose labels name one that went before it could hand them over: they go with the last. */
import { getObject } from '#clients/kubernetes/objects.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Ref } from '#model/ref.ts'
import { inTurn } from './in-turn.ts'
import { marksOf } from './marks.ts'
import type { Site } from './memory.ts'
import { ownerIn, refOfObject, type Owner } from './object.ts'
import type { Found } from './survey.ts'

/** Calls under way at once. */
const width = 16

export async function addAbandoned(
  site: Site,
  objects: Map<Ref, Found>,
  signal: AbortSignal,
): Promise<void> {
  if (site.isAbandoned === undefined) return
  const names = (site.inventory ?? []).filter((name) => !objects.has(refOfObject(name)))
  await inTurn(width, names, async (name) => {
    const kind = await site.discovery.find(name.apiVersion, name.kind, signal)
    if (kind === undefined) return
    const place = { kind, namespace: name.namespace, name: name.name }
    const object = await getObject(site.kubernetes, place, signal)
    if (object === undefined || ownerFor(site, object) === site.owner) return
    objects.set(refOfObject(name), { object, marks: marksOf(object), isWhole: true })
  })
}

/** In whose name it may be removed. */
export function ownerFor({ owner, isAbandoned }: Site, object: JsonRecord): Owner {
  const other = ownerIn(object)
  return other !== undefined && isAbandoned?.(other) === true ? other : owner
}
