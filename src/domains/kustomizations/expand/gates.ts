/** What has to be healthy at the end beside what was changed: the rest of the set, or what the health checks name. */
import type { Json } from '#model/json.ts'
import type { Ref } from '#model/ref.ts'
import type { Resource } from '#model/resource.ts'
import { subjectOf } from './expand.ts'
import { healthOf } from '../look/health.ts'
import type { SetContext } from '../memory.ts'
import { nameOfObject, refOfObject } from '../object.ts'
import { checkedNames, isWaitedFor } from '../apply-options.ts'

type GateAsked = { readonly ref: Ref; readonly subject: Json }

/** What was seen to be well in this very run need not be looked at again. */
export function gatesOf(context: SetContext, wanted: readonly Resource[]): readonly GateAsked[] {
  const asked = new Map<Ref, Json>()
  for (const { ref, spec } of wanted) {
    const name = nameOfObject(spec)
    if (!isWaitedFor(context.options, spec, name)) continue
    const live = context.before.get(ref)
    if (live === undefined || healthOf(context, live).state !== 'ok')
      asked.set(ref, subjectOf(name))
  }
  const own = new Set(wanted.map(({ ref }) => ref))
  for (const name of checkedNames(context.options)) {
    const ref = refOfObject(name)
    // another makes it, perhaps out of what is applied here: it may not be there yet
    if (!own.has(ref)) asked.set(ref, { ...name, isOthers: true })
  }
  return [...asked].map(([ref, subject]) => ({ ref, subject }))
}
