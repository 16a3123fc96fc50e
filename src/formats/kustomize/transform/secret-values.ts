/** Values of Secrets that a build carries into other objects. Building once more with other values tells which leaves they reach. */
import type { Resource } from '../load/resource.ts'
import { kindOf } from '../load/resource.ts'
import { type Node, copyOf } from '../yaml/node.ts'

/** How one build treats what is secret, shared by all kustomizations that it reads. */
export type SecretUse = {
  /** Whatever is taken from a Secret becomes another value. */
  readonly isDisguised: boolean
  /** Files of patches that are left out, as paths from the root of all files. */
  readonly leavesOut: ReadonlySet<string>
  /** How many values were taken from Secrets. */
  taken: number
}

export function newSecretUse(leavesOut: ReadonlySet<string> | undefined): SecretUse {
  return { isDisguised: leavesOut !== undefined, leavesOut: leavesOut ?? new Set(), taken: 0 }
}

/** What stands in a field of a resource. The name of a Secret is no secret. */
export function takenFrom(from: Resource, path: string, found: Node, use: SecretUse): Node {
  if (kindOf(from.node) !== 'Secret' || !/^(?:data|stringData)\b/.test(path)) return found
  use.taken += 1
  return use.isDisguised ? disguised(copyOf(found)) : found
}

function disguised(node: Node): Node {
  if (node.kind === 'scalar') return { ...node, value: anotherValue(node.value) }
  const isMap = node.kind === 'map'
  const content = node.content.map((one, i) => (isMap && i % 2 === 0 ? one : disguised(one)))
  return { ...node, content }
}

/** Every letter and digit is another one, and it is longer: no part of it is equal, and signs that mean something stay. */
export function anotherValue(value: string): string {
  const turned = value.replaceAll(/[A-Ya-y0-8]/g, (letter) =>
    String.fromCharCode(letter.charCodeAt(0) + 1),
  )
  return `${turned.replaceAll(/[Zz9]/g, 'q')}q`
}
