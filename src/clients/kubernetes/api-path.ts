/** The path of an object, or of all objects of a kind, in a cluster's API. */
import { segment } from './client.ts'
import type { ApiKind } from './discovery.ts'

export type ObjectPlace = {
  readonly kind: ApiKind
  /** Ignored for kinds that have no namespace. */
  readonly namespace: string
  readonly name: string
}

export function pathOf(place: ObjectPlace, subresource?: string): string {
  const end = subresource === undefined ? '' : `/${segment(subresource)}`
  return `${collectionPath(place.kind, place.namespace)}/${segment(place.name)}${end}`
}

/** The path of all objects in a namespace, or in all namespaces when none is given. */
export function collectionPath(kind: ApiKind, namespace: string | undefined): string {
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`
  const inside = kind.isNamespaced && namespace ? `/namespaces/${segment(namespace)}` : ''
  return `${root}${inside}/${kind.plural}`
}

/** The name of an object for people: `ConfigMap default/web`, `Namespace apps`. */
export function wordsOf({ kind, namespace, name }: ObjectPlace): string {
  return kind.isNamespaced ? `${kind.kind} ${namespace}/${name}` : `${kind.kind} ${name}`
}
