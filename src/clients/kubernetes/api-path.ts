/** Where an object, or all of a kind, is found in a cluster's API. */
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
