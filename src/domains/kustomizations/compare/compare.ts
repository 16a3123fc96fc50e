/** What an apply would change, as the server itself says: its dry run beside what is there now. */
import { recordOf } from '#model/read-json.ts'
import { metadataOf } from '#formats/manifest/metadata.ts'
import { diffValue, masked, type KeyOf } from '#engine/diff/diff.ts'
import type { Difference } from '#model/domain.ts'
import { isRecord, type Json, type JsonRecord } from '#model/json.ts'
import { looksSecret } from '#model/looks-secret.ts'
import type { Change } from '#model/plan.ts'
import type { Present, Resource } from '#model/resource.ts'
import type { Value } from '#model/value.ts'
import type { Vault } from '#model/vault.ts'
import {
  isSecret,
  manager,
  nameOfObject,
  ownerIn,
  ownerName,
  ownerNamespace,
  wishesOf,
  wordsOfObject,
  type Owner,
} from '../object.ts'
import { liveOf } from '../observe/live-object.ts'
import { mayReplace, type Claims, type ApplyOptions } from '../apply-options.ts'

export function compare(
  options: ApplyOptions,
  wanted: Resource,
  seen: Present,
  vault: Vault,
  claims: Claims = () => undefined,
): Difference {
  const { object, replaceBecause, taken } = liveOf(seen.live)
  const wishes = wishesOf(wanted.spec)
  if (wishes.isLeftAlone || wishesOf(object).isLeftAlone || wishes.isMadeOnce)
    return { kind: 'same' }
  if (metadataOf(object).isDeleting) {
    const cause = 'it is being deleted, and comes anew when it is gone'
    return { kind: 'changed', how: 'replace', cause, changes: [] }
  }
  if (replaceBecause !== undefined) {
    return { kind: 'changed', how: 'replace', cause: replaceBecause, changes: [] }
  }
  if (seen.forecast?.kind !== 'accepted') return { kind: 'same' }
  const changes = [
    ...shownChanges(recordOf(seen.forecast.result), object, vault),
    ...secretChanges(wanted, object, vault),
    ...(taken.length === 0 ? [] : [handover(taken)]),
  ]
  if (changes.length === 0) return { kind: 'same' }
  // two sets that declare one namespace alike would take it from each other for ever
  if (changes.every(isOwnerOnly) && claims(wanted.ref) !== undefined) return { kind: 'same' }
  const holder = ownerIn(object)
  if (holder !== undefined && claims(wanted.ref, holder) !== undefined) {
    return { kind: 'refused', problem: claimed(wanted, holder), changes }
  }
  if (object['immutable'] === true && changes.some(({ path }) => path.startsWith('data'))) {
    if (!mayReplace(options, wanted.spec, object)) {
      return { kind: 'refused', problem: fixed(wanted), changes }
    }
    return { kind: 'changed', how: 'replace', cause: 'it is immutable', changes }
  }
  return { kind: 'changed', how: 'update', cause: causeOf(changes), changes }
}

function isOwnerOnly({ path }: Change): boolean {
  return [ownerName, ownerNamespace].some((label) => path === `metadata.labels[${label}]`)
}

/** What was theirs alone and is not declared goes with it. */
function handover(taken: readonly string[]): Change {
  return { path: 'metadata.managedFields', from: taken.join(', '), to: manager }
}

/** Of a secret only which keys come and go: their values were not in the dry run. */
function shownChanges(result: JsonRecord, live: JsonRecord, vault: Vault): readonly Change[] {
  if (result === live) return []
  if (!isSecret(nameOfObject(live))) {
    return diffValue(telling(result), telling(live), vault, keyOf).map(withoutNamed)
  }
  const keysOf = (object: JsonRecord): JsonRecord => {
    const names = Object.keys(recordOf(object['data']))
    return { ...telling(object), data: Object.fromEntries(names.map((name) => [name, masked])) }
  }
  return diffValue(keysOf(result), keysOf(live), vault, keyOf)
}

/** A variable of a container that is called like a secret is not shown, also where it goes: nothing tells any more where it came from. */
function withoutNamed(change: Change): Change {
  const name = /\benv\[([^\]]+)\](?:\.value)?$/.exec(change.path)?.[1]
  if (name === undefined) return change
  const hide = (value: Json): Json => {
    if (typeof value === 'string') return looksSecret(name, value) ? masked : value
    if (!isRecord<Json>(value) || typeof value['value'] !== 'string') return value
    return looksSecret(name, value['value']) ? { ...value, value: masked } : value
  }
  return { ...change, from: hide(change.from), to: hide(change.to) }
}

/** The dry run was made without secrets, so their values are compared here, by their digests. */
function secretChanges(wanted: Resource, live: JsonRecord, vault: Vault): readonly Change[] {
  if (!isSecret(nameOfObject(wanted.spec))) return []
  const data: Readonly<Record<string, Value>> = recordOf(recordOf(wanted.spec)['data'])
  const have = recordOf(live['data'])
  const both = Object.fromEntries(
    Object.keys(data).flatMap((key) => {
      const value = have[key]
      return value === undefined ? [] : [[key, value] as const]
    }),
  )
  const known = Object.entries(data).filter(([key]) => have[key] !== undefined)
  return diffValue({ data: Object.fromEntries(known) }, { data: both }, vault)
}

const volatile = new Set([
  'managedFields',
  'resourceVersion',
  'generation',
  'uid',
  'creationTimestamp',
  'selfLink',
])

/** Everything but the status and what the server counts by itself. */
export function telling(object: JsonRecord): JsonRecord {
  const { status: _, ...rest } = object
  const metadata: Record<string, Json> = {}
  for (const [key, value] of Object.entries(recordOf(object['metadata']))) {
    if (!volatile.has(key)) metadata[key] = value
  }
  return { ...rest, metadata }
}

/** Lists of things with names differ by thing, not as one. */
const keyOf: KeyOf = (_path, item) => {
  if (!isRecord<Value>(item)) return undefined
  const { name } = recordOf(item)
  return typeof name === 'string' ? name : undefined
}

function causeOf(changes: readonly Change[]): string {
  const [first, second] = changes
  if (first === undefined) return ''
  return second === undefined
    ? `${first.path} changed`
    : `${first.path} and ${changes.length - 1} more changed`
}

/** Who has it keeps it: each would undo what the other does. */
function claimed({ ref, spec, origin }: Resource, { namespace, name }: Owner) {
  return {
    type: 'validation',
    code: 'held',
    ref,
    at: origin,
    message: `${wordsOfObject(nameOfObject(spec))} is also declared by Kustomization ${namespace}/${name}, which has it, and otherwise`,
    suggestion: 'declare it in one of them only: it goes over when the other lets go of it',
  } as const
}

function fixed({ ref, origin }: Resource) {
  return {
    type: 'validation',
    code: 'conflict',
    ref,
    at: origin,
    message: 'it is immutable, and its data would change',
    suggestion:
      'give it another name (a generator does that by itself), or allow its replacement with the annotation kustomize.toolkit.fluxcd.io/force: enabled',
  } as const
}
