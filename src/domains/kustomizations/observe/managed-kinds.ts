/** Which kinds may be ours, and how one is told from another. */
import type { ApiKind } from '#clients/kubernetes/discovery.ts'
import { recordOf, recordsOf } from '#model/read-json.ts'
import type { JsonRecord } from '#model/json.ts'

const derived = new Set([
  'Event',
  'Endpoints',
  'EndpointSlice',
  'ControllerRevision',
  'ComponentStatus',
])

/** What nobody could have applied is not looked for. */
export function isListable({ verbs, kind }: ApiKind): boolean {
  return verbs.includes('list') && verbs.includes('delete') && !derived.has(kind)
}

/** Versions of a kind are one. */
export function keyOfKind({ group, kind }: Pick<ApiKind, 'group' | 'kind'>): string {
  return group === '' ? kind : `${kind}.${group}`
}

/** Some controllers copy labels to what they make of an object: that is theirs. */
export function isCopy(object: JsonRecord): boolean {
  const owners = recordsOf(recordOf(object['metadata'])['ownerReferences'])
  return owners.some((owner) => owner['controller'] === true)
}
