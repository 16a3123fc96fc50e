/** From a step on a resource to the calls that carry it out, and those that take it back. */
import type { Expansion } from '#model/domain.ts'
import type { Group } from '#model/plan.ts'
import { kindOf } from '#model/ref.ts'
import { withdrawingOnlyOwn } from '../only-own.ts'

/** Each kind of resource has its own way. */
export function expandBy(
  kinds: Readonly<Record<string, (expansion: Expansion) => Group>>,
): (expansion: Expansion) => Group {
  return (expansion) => {
    const kind = kindOf(expansion.ref)
    const expand = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
    if (expand === undefined) throw new TypeError(`no such kind: ${kind}`)
    return withdrawingOnlyOwn(expand(expansion), expansion.identity.owner)
  }
}
