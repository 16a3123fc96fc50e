/** All objects of a kind, in pages, so that neither side ever holds more than it must. */
import { recordOf, recordsOf, textOf } from '#model/read-json.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Kubernetes } from './client.ts'
import type { ApiKind } from './discovery.ts'
import { collectionPath } from './api-path.ts'

export type Selection = {
  /** The namespace; by default all. */
  readonly namespace?: string
  readonly labels?: string
  readonly fields?: string
  /** Names, labels and owners alone: a fraction of the size. */
  readonly isMetadataOnly?: boolean
}

export type Listing = Selection & {
  /** What the server has at hand does, if it is at least as new as this version: it need not ask its database. */
  readonly notOlderThan?: number
}

export type ObjectList = {
  readonly objects: readonly JsonRecord[]
  /** The version from which a watch goes on. */
  readonly resourceVersion: string
}

const usualPage = 500

export async function listObjects(
  kubernetes: Kubernetes,
  kind: ApiKind,
  listing: Listing,
  signal: AbortSignal,
  pageSize: number = usualPage,
): Promise<ObjectList> {
  const { notOlderThan, ...selection } = listing
  const isAtHand = notOlderThan !== undefined && notOlderThan > 0
  // in pages it comes from the database
  const version = isAtHand
    ? { resourceVersion: notOlderThan, resourceVersionMatch: 'NotOlderThan' }
    : {}
  const objects: JsonRecord[] = []
  let token = ''
  for (;;) {
    const limit = pageSize === 0 || isAtHand ? undefined : pageSize
    const said = await kubernetes.ask('GET', collectionPath(kind, selection.namespace), {
      query: { ...queryOf(selection), ...version, limit, continue: token },
      accept: acceptOf(selection, 'PartialObjectMetadataList'),
      fine: isAtHand ? [410, 504] : token === '' ? [] : [410],
      signal,
      doing: `could not list ${kind.plural}`,
    })
    // a server that was put back to an older state never comes to be so new
    if (isAtHand && said.status >= 400) {
      return listObjects(kubernetes, kind, selection, signal, pageSize)
    }
    // so slow, or the history so short, that the next page is gone: then all of it at once
    if (said.status === 410) return listObjects(kubernetes, kind, selection, signal, 0)
    const body = recordOf(said.body)
    const metadata = recordOf(body['metadata'])
    for (const item of recordsOf(body['items'])) objects.push(named(item, kind, selection))
    token = textOf(metadata['continue'])
    if (token === '') return { objects, resourceVersion: textOf(metadata['resourceVersion']) }
  }
}

export function queryOf({ labels, fields }: Selection) {
  return { labelSelector: labels, fieldSelector: fields }
}

export function acceptOf(
  { isMetadataOnly }: Pick<Selection, 'isMetadataOnly'>,
  as: string,
): string {
  if (isMetadataOnly !== true) return 'application/json'
  return `application/json;as=${as};g=meta.k8s.io;v=v1,application/json`
}

/** Items of a list do not name their kind; with metadata alone they name a kind that all such items have. */
export function named(item: JsonRecord, kind: ApiKind, { isMetadataOnly }: Selection): JsonRecord {
  const isSaid = typeof item['kind'] === 'string' && isMetadataOnly !== true
  return isSaid ? item : { ...item, apiVersion: kind.apiVersion, kind: kind.kind }
}
