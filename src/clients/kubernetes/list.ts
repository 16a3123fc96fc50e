/** All objects of a kind, in pages, so that neither side ever holds more than it must. */
import { recordOf, recordsOf, textOf } from '#clients/http/read.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Kubernetes } from './client.ts'
import type { ApiKind } from './discovery.ts'
import { collectionPath } from './place.ts'

export type Selection = {
  /** All of them unless said. */
  readonly namespace?: string
  readonly labels?: string
  readonly fields?: string
  /** Names, labels and owners alone: a fraction of the size. */
  readonly isMetadataOnly?: boolean
}

export type Listed = {
  readonly objects: readonly JsonRecord[]
  /** From where a watch goes on. */
  readonly resourceVersion: string
}

const usualPage = 500

export async function listObjects(
  kubernetes: Kubernetes,
  kind: ApiKind,
  selection: Selection,
  signal: AbortSignal,
  pageSize: number = usualPage,
): Promise<Listed> {
  const objects: JsonRecord[] = []
  let token = ''
  for (;;) {
    const limit = pageSize === 0 ? undefined : pageSize
    const said = await kubernetes.ask('GET', collectionPath(kind, selection.namespace), {
      query: { ...queryOf(selection), limit, continue: token },
      accept: acceptOf(selection, 'PartialObjectMetadataList'),
      fine: token === '' ? [] : [410],
      signal,
      doing: `could not list ${kind.plural}`,
    })
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

/** Items of a list don't say what they are; with metadata alone they say what all such are. */
export function named(item: JsonRecord, kind: ApiKind, { isMetadataOnly }: Selection): JsonRecord {
  const isSaid = typeof item['kind'] === 'string' && isMetadataOnly !== true
  return isSaid ? item : { ...item, apiVersion: kind.apiVersion, kind: kind.kind }
}
