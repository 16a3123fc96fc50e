/** Reading and changing single objects: get, server-side apply, patches, creation, replacement, deletion. */
import { recordOf } from '#model/read-json.ts'
import type { Json, JsonRecord } from '#model/json.ts'
import type { Kubernetes } from './client.ts'
import { acceptOf } from './list.ts'
import { collectionPath, pathOf, wordsOf, type ObjectPlace } from './api-path.ts'

export type Writing = {
  readonly signal: AbortSignal
  /** The field manager that writes these fields. */
  readonly manager: string
  /** The server does everything, admission included, and keeps nothing. */
  readonly isDryRun?: boolean
  /** `status`, `scale`, … */
  readonly subresource?: 'status' | 'scale'
  readonly silence?: number
  /** How long all of it may take, ms. */
  readonly limit?: number
}

export type Applying = Writing & {
  /** Takes over fields that other managers have; without it that is a conflict. */
  readonly isForced?: boolean
  /** Only the metadata of the answer is wanted: there is less to make, to send and to read. */
  readonly isMetadataOnly?: boolean
  /** The same fields passed a dry run, which is always strict: the server need not read the body once more for keys that are there twice. */
  readonly isChecked?: boolean
  /** Is called when the object did not exist before. */
  readonly created?: () => void
}

/** Undefined when it is not there. */
export async function getObject(
  kubernetes: Kubernetes,
  place: ObjectPlace,
  signal: AbortSignal,
): Promise<JsonRecord | undefined> {
  const doing = `could not read ${wordsOf(place)}`
  const said = await kubernetes.ask('GET', pathOf(place), { signal, doing, fine: [404] })
  if (said.status !== 404) return recordOf(said.body)
  // a kind that is not served is not the same as an object that is not there
  if (isAbsence(said.body)) return undefined
  await kubernetes.ask('GET', pathOf(place), { signal, doing })
  return undefined
}

/** Server-side apply: what is in the object and nothing else is ours afterwards. Unknown fields are refused, not dropped. */
export async function applyObject(
  kubernetes: Kubernetes,
  place: ObjectPlace,
  object: JsonRecord,
  applying: Applying,
): Promise<JsonRecord> {
  const said = await kubernetes.ask('PATCH', pathOf(place, applying.subresource), {
    query: { ...queryOf(applying), ...validation(applying), force: applying.isForced === true },
    // JSON is YAML
    contentType: 'application/apply-patch+yaml',
    accept: acceptOf(applying, 'PartialObjectMetadata'),
    body: object,
    ...rest(
      applying,
      `could not ${applying.isDryRun === true ? 'check' : 'apply'} ${wordsOf(place)}`,
    ),
  })
  if (said.status === 201) applying.created?.()
  return recordOf(said.body)
}

export type Patch =
  | { readonly kind: 'merge'; readonly body: JsonRecord }
  | { readonly kind: 'json'; readonly body: readonly JsonRecord[] }
  | { readonly kind: 'strategic'; readonly body: JsonRecord }

const patchTypes = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const

export async function patchObject(
  kubernetes: Kubernetes,
  place: ObjectPlace,
  patch: Patch,
  writing: Writing,
): Promise<JsonRecord> {
  const said = await kubernetes.ask('PATCH', pathOf(place, writing.subresource), {
    query: queryOf(writing),
    contentType: patchTypes[patch.kind],
    body: patch.body,
    ...rest(writing, `could not change ${wordsOf(place)}`),
  })
  return recordOf(said.body)
}

export async function createObject(
  kubernetes: Kubernetes,
  place: ObjectPlace,
  object: JsonRecord,
  writing: Writing,
): Promise<JsonRecord> {
  const said = await kubernetes.ask('POST', collectionPath(place.kind, place.namespace), {
    query: queryOf(writing),
    body: object,
    ...rest(writing, `could not create ${wordsOf(place)}`),
  })
  return recordOf(said.body)
}

/** Replaces the whole object. With a resourceVersion in it, only that very version is replaced (leases). */
export async function replaceObject(
  kubernetes: Kubernetes,
  place: ObjectPlace,
  object: JsonRecord,
  writing: Writing,
): Promise<JsonRecord> {
  const said = await kubernetes.ask('PUT', pathOf(place, writing.subresource), {
    query: queryOf(writing),
    body: object,
    ...rest(writing, `could not replace ${wordsOf(place)}`),
  })
  return recordOf(said.body)
}

export type Deleting = {
  readonly signal: AbortSignal
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan'
  /** Only the object with this uid is deleted, and only if nobody changed it since. */
  readonly uid?: string
  readonly resourceVersion?: string
  readonly graceSeconds?: number
  readonly isDryRun?: boolean
}

/** `gone`: it was not there. `marked`: it is there until its finalizers are done. */
export async function deleteObject(
  kubernetes: Kubernetes,
  place: ObjectPlace,
  deleting: Deleting,
): Promise<'gone' | 'marked' | 'deleted'> {
  const { signal, uid, resourceVersion, graceSeconds, isDryRun } = deleting
  const preconditions = {
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  }
  const body: Json = {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    propagationPolicy: deleting.propagation ?? 'Background',
    ...(Object.keys(preconditions).length === 0 ? {} : { preconditions }),
    ...(graceSeconds === undefined ? {} : { gracePeriodSeconds: graceSeconds }),
    ...(isDryRun === true ? { dryRun: ['All'] } : {}),
  }
  const doing = `could not delete ${wordsOf(place)}`
  const said = await kubernetes.ask('DELETE', pathOf(place), { body, signal, doing, fine: [404] })
  if (said.status === 404) return 'gone'
  const answer = recordOf(said.body)
  return answer['kind'] === 'Status' ? 'deleted' : 'marked'
}

function queryOf({ manager, isDryRun }: Writing) {
  return {
    fieldManager: manager,
    fieldValidation: 'Strict',
    dryRun: isDryRun === true ? 'All' : undefined,
  }
}

/** Unknown fields are refused by a server-side apply in any case. */
function validation({ isChecked }: Applying) {
  return isChecked === true ? { fieldValidation: 'Ignore' } : {}
}

function rest({ signal, silence, limit }: Writing, doing: string) {
  const times = {
    ...(silence === undefined ? {} : { silence }),
    ...(limit === undefined ? {} : { limit }),
  }
  return { signal, doing, ...times }
}

function isAbsence(body: Json): boolean {
  return recordOf(recordOf(body)['details'])['name'] !== undefined
}
