/** What there is of a set, of each kind: as the watch on the whole cluster knows it, else by as light a list as does. */
import type { ApiKind } from '#clients/kubernetes/discovery.ts'
import { listObjects, type Listing } from '#clients/kubernetes/list.ts'
import { getObject } from '#clients/kubernetes/objects.ts'
import { metadataOf } from '#formats/manifest/metadata.ts'
import { problemOf } from '#model/problem.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Ref } from '#model/ref.ts'
import type { Glimpse } from './cluster-cache.ts'
import type { Subject } from './forecast.ts'
import { isSettled } from './settled-objects.ts'
import { isCopy, keyOfKind } from './managed-kinds.ts'
import { marksOf } from './change-marks.ts'
import { versionOf, type SetContext } from '../memory.ts'
import { isOwnedBy, isSecret, nameOfObject, ownerSelector, refOfObject } from '../object.ts'
import { isWaitedFor } from '../apply-options.ts'

/** Whole, or of its metadata alone. */
export type ListedObject = Glimpse & { readonly isWhole: boolean }

export type SurveyOptions = {
  /** Nobody's memory counts: the server is asked. */
  readonly refresh: boolean
  /** Health is of no account. */
  readonly isGlance: boolean
}

/** So many are asked for one by one before all of a kind are listed. */
const few = 8

/** `subjects`: what is wanted of the kind; `homes`: where objects of it are, or were. */
export async function survey(
  context: SetContext,
  kind: ApiKind,
  subjects: readonly Subject[],
  homes: ReadonlySet<string>,
  options: SurveyOptions,
  signal: AbortSignal,
): Promise<ReadonlyMap<Ref, ListedObject>> {
  const key = keyOfKind(kind)
  const newest = context.newest.get(key) ?? 0
  const seen = options.refresh
    ? undefined
    : await context.clusterCache?.seen(context.owner, kind, newest, signal)
  if (seen !== undefined) {
    return without(
      context,
      [...seen].map(([ref, found]) => [ref, { ...found, isWhole: false }]),
    )
  }
  const unknown = subjects.filter((one) => {
    return !context.settled.has(one.resource.ref) || needsAll(context, one, options)
  })
  const isWhole =
    subjects.length > 0 && (unknown.length > few || unknown.length === subjects.length)
  const listing = { isMetadataOnly: !isWhole, notOlderThan: newest }
  return without(context, await listed(context, kind, homes, listing, signal))
}

/** What is to be compared or looked at is needed whole: some are asked for one by one, of many all are listed. */
export async function completed(
  context: SetContext,
  kind: ApiKind,
  subjects: readonly Subject[],
  homes: ReadonlySet<string>,
  found: ReadonlyMap<Ref, ListedObject>,
  options: SurveyOptions,
  signal: AbortSignal,
): Promise<ReadonlyMap<Ref, ListedObject>> {
  const parts = subjects.flatMap((one) => {
    const known = found.get(one.resource.ref)
    if (known === undefined || known.isWhole) return []
    const isPart = needsAll(context, one, options) || !isSettled(context, one.resource, known.marks)
    return isPart ? [{ one, known }] : []
  })
  if (parts.length === 0) return found
  if (parts.length > few) {
    const versions = parts.map(({ known }) => metadataOf(known.object).resourceVersion)
    const notOlderThan = Math.max(
      context.newest.get(keyOfKind(kind)) ?? 0,
      ...versions.map(versionOf),
    )
    return without(context, await listed(context, kind, homes, { notOlderThan }, signal))
  }
  const all = new Map(found)
  await Promise.all(
    parts.map(async ({ one: { name, resource } }) => {
      const place = { kind, namespace: name.namespace, name: name.name }
      const object = await getObject(context.kubernetes, place, signal)
      if (object === undefined || !isOwnedBy(object, context.owner)) all.delete(resource.ref)
      else all.set(resource.ref, wholly(object))
    }),
  )
  return all
}

/** Values of secrets are compared each time, and what is waited for is looked at. */
function needsAll(
  context: SetContext,
  { resource, name }: Subject,
  { isGlance }: SurveyOptions,
): boolean {
  return isSecret(name) || (!isGlance && isWaitedFor(context.options, resource.spec, name))
}

/** What we know to be gone is not there, whoever still shows it. */
function without(
  context: SetContext,
  found: Iterable<readonly [Ref, ListedObject]>,
): ReadonlyMap<Ref, ListedObject> {
  const all = new Map(found)
  if (context.gone.size === 0) return all
  for (const [ref, { object }] of all) if (context.gone.has(metadataOf(object).uid)) all.delete(ref)
  return all
}

/** Who may not look at a whole cluster may still look where the set lives. */
async function listed(
  context: SetContext,
  kind: ApiKind,
  homes: ReadonlySet<string>,
  listing: Listing,
  signal: AbortSignal,
): Promise<ReadonlyMap<Ref, ListedObject>> {
  const labels = ownerSelector(context.owner)
  const objects = new Map<Ref, ListedObject>()
  async function list(more: Listing): Promise<void> {
    const answer = await listObjects(context.kubernetes, kind, { ...listing, ...more }, signal)
    // it was put back to an older state: what was known of it before is of no account
    const isBehind = versionOf(answer.resourceVersion) < (listing.notOlderThan ?? 0)
    if (isBehind) context.newest.delete(keyOfKind(kind))
    for (const object of answer.objects) {
      if (isCopy(object)) continue
      const ref = refOfObject(nameOfObject(object))
      const isWhole = listing.isMetadataOnly !== true
      objects.set(ref, { object, marks: marksOf(object), isWhole })
    }
  }
  await list({ labels }).catch(async (error: unknown) => {
    const isNarrow = kind.isNamespaced && homes.size > 0
    if (!isNarrow || problemOf(error).code !== 'forbidden') throw error
    for (const namespace of homes) await list({ labels, namespace })
  })
  return objects
}

function wholly(object: JsonRecord): ListedObject {
  return { object, marks: marksOf(object), isWhole: true }
}
