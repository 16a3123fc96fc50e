/** Merging dictionaries as mergo does: in place, maps into maps, the rest by who is empty. */
import type { Budget } from '../budget.ts'
import { dict, isTrue, type Dict, type Value } from '../values.ts'

/** The target with the sources merged into it; a source's value wins only when overwriting, or over an empty one. */
export function merged(
  target: Dict,
  sources: readonly Dict[],
  overwrites: boolean,
  budget: Budget,
): Dict {
  let into = target
  for (const source of sources) {
    if (into.isNil && !source.isNil) into = dict(new Map(), into.type)
    mergeInto(into, source, overwrites, budget, 0)
  }
  return into
}

function mergeInto(
  target: Dict,
  source: Dict,
  overwrites: boolean,
  budget: Budget,
  depth: number,
): void {
  budget.nest(depth)
  for (const [key, value] of Array.from(source.entries)) {
    budget.spend(1)
    const held = target.entries.get(key)
    if (value === null) {
      if (overwrites) target.entries.set(key, null)
      continue
    }
    if (isDict(value) && held !== undefined && isDict(held) && !held.isNil) {
      mergeInto(held, value, overwrites, budget, depth + 1)
    }
    const isKept = held !== undefined && !isEmptyValue(held)
    if (isKept && !overwrites) continue
    if (isKept && isDict(value) && isDict(held)) continue
    target.entries.set(key, value)
  }
}

function isDict(value: Value): value is Dict {
  return typeof value === 'object' && value !== null && value.kind === 'dict'
}

/** Unlike truth, complex zero is not empty here. */
function isEmptyValue(value: Value): boolean {
  return !isTrue(value) && !(typeof value === 'object' && value?.kind === 'complex')
}
