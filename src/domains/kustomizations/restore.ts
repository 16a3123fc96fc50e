/** An object as it was before the run: our fields, and those that the run took from others, with whose they were. */
import { applyObject, deleteObject, getObject, patchObject } from '#clients/kubernetes/objects.ts'
import { metadataOf, type ObjectPlace } from '#clients/kubernetes/place.ts'
import { isImmutable } from '#clients/kubernetes/problem.ts'
import { recordOf, recordsOf, textOf } from '#clients/http/read.ts'
import { canonical, type JsonRecord } from '#model/json.ts'
import { problemOf } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'
import { gone } from './gone.ts'
import { keyOfKind } from './kinds.ts'
import { learn, type Site } from './memory.ts'
import { manager } from './object.ts'
import { ownEntry, partWith } from './own-fields.ts'
import { takenFields, unionOf } from './takeover.ts'

const longest = 30_000

export async function restore(
  site: Site,
  ref: Ref,
  place: ObjectPlace,
  signal: AbortSignal,
): Promise<void> {
  const before = site.before.get(ref)
  if (before === undefined) return
  site.settled.delete(ref)
  site.answers.delete(ref)
  const own = ownEntry(before, manager)
  const live = await getObject(site.kubernetes, place, signal)
  const touched = live === undefined ? [] : [ownEntry(live, manager) ?? {}]
  const fields = unionOf([...(own === undefined ? [] : [own]), ...takenFields(before), ...touched])
  const applied = await applyBack(site, ref, place, partWith(before, fields), signal)
  site.applied.set(ref, applied)
  learn(site, keyOfKind(place.kind), applied)
  await giveBack(site, place, before, applied, signal)
}

/** One that was replaced may not be changed in place on the way back either. */
async function applyBack(
  site: Site,
  ref: Ref,
  place: ObjectPlace,
  part: JsonRecord,
  signal: AbortSignal,
): Promise<JsonRecord> {
  const applying = { signal, manager, isForced: true }
  try {
    return await applyObject(site.kubernetes, place, part, applying)
  } catch (error) {
    if (!site.removed.has(ref) || !isImmutable(problemOf(error))) throw error
    const live = await getObject(site.kubernetes, place, signal)
    const { uid } = metadataOf(live ?? {})
    await deleteObject(site.kubernetes, place, { signal, uid })
    await gone(site, place, uid, longest, signal)
    return applyObject(site.kubernetes, place, part, applying)
  }
}

/** Values are as they were by now; who set them is said in the managed fields, which are put back where they differ. */
async function giveBack(
  site: Site,
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
    site,
    keyOfKind(place.kind),
    await patchObject(site.kubernetes, place, { kind: 'json', body }, { signal, manager }),
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
