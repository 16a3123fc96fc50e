/** The one identity of a resource, as text: `kind/name` (Kubernetes: `Kind.group/namespace/name`). */

export type Ref = string

export function refOf(kind: string, name: string): Ref {
  return `${kind}/${name}`
}

export function kindOf(ref: Ref): string {
  return ref.slice(0, ref.indexOf('/'))
}

export function nameOf(ref: Ref): string {
  return ref.slice(ref.indexOf('/') + 1)
}
