/** Where an object, or all of a kind, is found in a cluster's API. */
import { recordOf, textMapOf, textOf } from '#clients/http/read.ts'
import type { JsonRecord } from '#model/json.ts'
import { segment } from './client.ts'
import type { ApiKind } from './discovery.ts'

export type ObjectPlace = {
  readonly kind: ApiKind
  /** Of no account where the kind has none. */
  readonly namespace: string
  readonly name: string
}

export function pathOf(place: ObjectPlace, subresource?: string): string {
  const end = subresource === undefined ? '' : `/${segment(subresource)}`
  return `${collectionPath(place.kind, place.namespace)}/${segment(place.name)}${end}`
}

/** Of one namespace, or of all when there is none. */
export function collectionPath(kind: ApiKind, namespace: string | undefined): string {
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`
  const inside = kind.isNamespaced && namespace ? `/namespaces/${segment(namespace)}` : ''
  return `${root}${inside}/${kind.plural}`
}

/** `ConfigMap default/web`, `Namespace apps`: as people name it. */
export function wordsOf({ kind, namespace, name }: ObjectPlace): string {
  return kind.isNamespaced ? `${kind.kind} ${namespace}/${name}` : `${kind.kind} ${name}`
}

export type Metadata = {
  readonly name: string
  readonly namespace: string
  readonly uid: string
  readonly resourceVersion: string
  readonly generation: number
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly isDeleting: boolean
}

export function metadataOf(object: JsonRecord): Metadata {
  const fields = recordOf(object['metadata'])
  return {
    name: textOf(fields['name']),
    namespace: textOf(fields['namespace']),
    uid: textOf(fields['uid']),
    resourceVersion: textOf(fields['resourceVersion']),
    generation: typeof fields['generation'] === 'number' ? fields['generation'] : 0,
    labels: textMapOf(fields['labels']),
    annotations: textMapOf(fields['annotations']),
    isDeleting: textOf(fields['deletionTimestamp']) !== '',
  }
}
