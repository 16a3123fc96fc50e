/** Fields that kubectl, or we in another way than by applying, wrote: they become ours, so that what is no longer declared goes. */
import type { Patch } from '#clients/kubernetes/objects.ts'
import { metadataOf } from '#formats/manifest/metadata.ts'
import { recordOf, recordsOf, textOf } from '#model/read-json.ts'
import { isRecord, type Json, type JsonRecord } from '#model/json.ts'
import { manager, wishesOf } from '../object.ts'
import type { Value } from '#model/value.ts'

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

type FieldAdoption = {
  /** Whose fields they were. */
  readonly managers: readonly string[]
  readonly patch: Patch
}

/** Undefined where there is nothing to take, or the author wants fields of others to stay. */
export function fieldAdoptionOf(wanted: Value, live: JsonRecord): FieldAdoption | undefined {
  if (wishesOf(wanted).isMerged) return undefined
  const entries = recordsOf(recordOf(live['metadata'])['managedFields'])
  const taken = entries.filter(isTaken)
  const { annotations, resourceVersion } = metadataOf(live)
  const hasNote = annotations[lastApplied] !== undefined
  if (taken.length === 0 && !hasNote) return undefined
  const key = lastApplied.replaceAll('/', '~1')
  const body = [
    ...(taken.length === 0
      ? []
      : [{ op: 'replace', path: '/metadata/managedFields', value: merged(live, entries, taken) }]),
    ...(hasNote ? [{ op: 'remove', path: `/metadata/annotations/${key}` }] : []),
    // who changed it in the meantime is not overrun
    { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
  ]
  const managers = [...new Set(taken.map((entry) => textOf(entry['manager'])))]
  return { managers: managers.length > 0 ? managers : ['kubectl'], patch: { kind: 'json', body } }
}

function isTaken(entry: JsonRecord): boolean {
  if (textOf(entry['subresource']) !== '') return false
  const name = textOf(entry['manager'])
  if (name === manager) return entry['operation'] === 'Update'
  const isTheirs = !name.startsWith('kubectl') && name !== 'before-first-apply'
  return !isTheirs && Object.keys(takenOf(entry)).length > 0
}

/** Whoever holds an object by a finalizer means to let it go himself: that is not taken. */
function takenOf(entry: JsonRecord): JsonRecord {
  const { 'f:metadata': metadata, ...rest } = recordOf(entry['fieldsV1'])
  if (metadata === undefined || textOf(entry['manager']) === manager) {
    return recordOf(entry['fieldsV1'])
  }
  const { 'f:finalizers': _, ...others } = recordOf(metadata)
  const isEmpty = Object.keys(others).every((name) => name === '.')
  return isEmpty ? rest : { ...rest, 'f:metadata': others }
}

function leftOf(entry: JsonRecord): readonly JsonRecord[] {
  if (textOf(entry['manager']) === manager) return []
  const { 'f:finalizers': finalizers } = recordOf(recordOf(entry['fieldsV1'])['f:metadata'])
  if (finalizers === undefined) return []
  return [{ ...entry, fieldsV1: { 'f:metadata': { 'f:finalizers': finalizers } } }]
}

function merged(
  live: JsonRecord,
  entries: readonly JsonRecord[],
  taken: readonly JsonRecord[],
): readonly JsonRecord[] {
  const others = entries.flatMap((entry) => {
    if (isOwn(entry)) return []
    return taken.includes(entry) ? leftOf(entry) : [entry]
  })
  const own = entries.find(isOwn)
  const base: JsonRecord = own ?? {
    ...taken[0],
    manager,
    operation: 'Apply',
    apiVersion: live['apiVersion'] ?? '',
  }
  const fields = [
    ...(own === undefined ? [] : [recordOf(own['fieldsV1'])]),
    ...taken.map((one) => takenOf(one)),
  ]
  return [...others, { ...base, fieldsV1: unionOf(fields) }]
}

function isOwn(entry: JsonRecord): boolean {
  const isWhole = textOf(entry['subresource']) === ''
  return entry['manager'] === manager && entry['operation'] === 'Apply' && isWhole
}

/** Of sets of managed fields. */
export function unionOf(sets: readonly JsonRecord[]): JsonRecord {
  const union: Record<string, Json> = {}
  for (const set of sets) {
    for (const [name, inside] of Object.entries(set)) {
      const known = union[name]
      union[name] = isRecord<Json>(known) ? unionOf([known, recordOf(inside)]) : inside
    }
  }
  return union
}

/** The fields that an adoption would make ours. */
export function takenFields(live: JsonRecord): readonly JsonRecord[] {
  const entries = recordsOf(recordOf(live['metadata'])['managedFields'])
  return entries.filter(isTaken).map((entry) => takenOf(entry))
}
