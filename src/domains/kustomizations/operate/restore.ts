/** An object as it was before the run: our fields, and those that the run took from others, with whose they were. */
import { applyObject, deleteObject, getObject, patchObject } from '#clients/kubernetes/objects.ts'
import { metadataOf } from '#formats/manifest/metadata.ts'
import { type ObjectPlace } from '#clients/kubernetes/api-path.ts'
import { isImmutable } from '#clients/kubernetes/problem.ts'
import { recordOf, recordsOf, textOf } from '#model/read-json.ts'
import { canonical, type JsonRecord } from '#model/json.ts'
import { problemOf } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'
import { gone } from './wait-until-gone.ts'
import { keyOfKind } from '../observe/managed-kinds.ts'
import { learn, type SetContext } from '../memory.ts'
import { manager } from '../object.ts'
import { asSeen, lookedAgain, onlyAsSeen } from './only-as-seen.ts'
import { ownEntry, partWith } from './own-fields.ts'
import { takenFields, unionOf } from './adopt-fields.ts'

const longest = 30_000

export async function restore(
  context: SetContext,
  ref: Ref,
  place: ObjectPlace,
  signal: AbortSignal,
): Promise<void> {
  const before = context.before.get(ref)
  if (before === undefined) return
  context.settled.delete(ref)
  context.answers.delete(ref)
  const own = ownEntry(before, manager)
  const live = await getObject(context.kubernetes, place, signal)
  const touched = live === undefined ? [] : [ownEntry(live, manager) ?? {}]
  const fields = unionOf([...(own === undefined ? [] : [own]), ...takenFields(before), ...touched])
  const part = partWith(before, fields)
  const applied = await applyBack(context, ref, place, { part, live }, signal)
  context.applied.set(ref, applied)
  learn(context, keyOfKind(place.kind), applied)
  await giveBack(context, place, before, applied, signal)
}

/** One that was replaced may not be changed in place on the way back either. */
async function applyBack(
  context: SetContext,
  ref: Ref,
  place: ObjectPlace,
  { part, live }: { readonly part: JsonRecord; readonly live: JsonRecord | undefined },
  signal: AbortSignal,
): Promise<JsonRecord> {
  const applying = { signal, manager, isForced: true }
  try {
    return await applyObject(context.kubernetes, place, onlyAsSeen(live, part), applying)
  } catch (error) {
    const isReplaced = context.removed.has(ref) && isImmutable(problemOf(error))
    if (live === undefined || !isReplaced) throw lookedAgain(error)
    await deleteObject(context.kubernetes, place, { signal, ...asSeen(live) })
    await gone(context, place, metadataOf(live).uid, longest, signal)
    return applyObject(context.kubernetes, place, part, applying)
  }
}

/** Values are as they were by now; who set them is said in the managed fields, which are put back where they differ. */
async function giveBack(
  context: SetContext,
  place: ObjectPlace,
  before: JsonRecord,
  applied: JsonRecord,
  signal: AbortSignal,
): Promise<void> {
  const [then, now] = [entriesOf(before), entriesOf(applied)]
  if (setsOf(then) === setsOf(now)) return
  const known = new Set(then.map(keyOf))
  const own = keyOf({ manager, operation: 'Apply' })
  const since = now.filter((entry) => keyOf(entry) !== own && !known.has(keyOf(entry)))
  const status = recordsOf(recordOf(applied['metadata'])['managedFields']).filter(isOfPart)
  const { resourceVersion } = metadataOf(applied)
  const body = [
    { op: 'replace', path: '/metadata/managedFields', value: [...then, ...since, ...status] },
    { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
  ]
  learn(
    context,
    keyOfKind(place.kind),
    await patchObject(context.kubernetes, place, { kind: 'json', body }, { signal, manager }),
  )
}

function entriesOf(object: JsonRecord): readonly JsonRecord[] {
  return recordsOf(recordOf(object['metadata'])['managedFields']).filter((one) => !isOfPart(one))
}

/** Of the status, the scale: not ours to say anything about. */
function isOfPart(entry: JsonRecord): boolean {
  return textOf(entry['subresource']) !== ''
}

function keyOf({ manager: name, operation }: JsonRecord): string {
  return `${textOf(name)} ${textOf(operation)}`
}

function setsOf(entries: readonly JsonRecord[]): string {
  const sets = entries.map((entry) => `${keyOf(entry)} ${canonical(entry['fieldsV1'] ?? null)}`)
  return sets.toSorted().join('\n')
}
