/** What carries our owner, by ref. */
import type { Labels } from '#domains/containers/record.ts'
import { hashOf, type Json } from '#model/json.ts'
import type { ProblemFacts } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'
import type { Absent, Present, Recorded, Resource } from '#model/resource.ts'
import { settled } from '#model/value.ts'
import { label } from '../labels.ts'

export function ownByRef<Item extends { readonly labels: Labels }>(
  items: readonly Item[],
  owner: string,
): ReadonlyMap<Ref, readonly Item[]> {
  const found = new Map<Ref, Item[]>()
  for (const index of ownersIn(items).get(owner) ?? []) {
    const item = items[index]!
    const ref = item.labels[label.ref]
    if (ref === undefined) continue
    const same = found.get(ref)
    if (same === undefined) found.set(ref, [item])
    else same.push(item)
  }
  return found
}

const owners = new WeakMap<readonly unknown[], ReadonlyMap<string, readonly number[]>>()

/** Where each owner's are in a list: found once for all who look at it. */
function ownersIn(
  items: readonly { readonly labels: Labels }[],
): ReadonlyMap<string, readonly number[]> {
  const known = owners.get(items)
  if (known !== undefined) return known
  const found = new Map<string, number[]>()
  for (const [index, { labels }] of items.entries()) {
    const owner = labels[label.owner]
    if (owner === undefined) continue
    const own = found.get(owner)
    if (own === undefined) found.set(owner, [index])
    else own.push(index)
  }
  owners.set(items, found)
  return found
}

/** Somebody else's, only checked: it can't differ from what is wanted. */
export function given({ spec, needs }: Resource, object: string, live: Json): Present {
  const record = settled(spec)
  const recorded: Recorded = { hash: hashOf(record), spec: record, needs }
  return { kind: 'present', recorded, outputs: { object }, live, isGiven: true, spares: [] }
}

/** An external one that is not there: it is for its owner to make. */
export function missing({ ref, origin }: Resource, kind: string, name: string): Absent {
  const problem: ProblemFacts = {
    type: 'validation',
    code: 'not_found',
    ref,
    at: origin,
    message: `${kind} ${name} is external, and it is not there`,
    suggestion: `make it: docker ${kind} create ${name}`,
  }
  return { kind: 'absent', forecast: { kind: 'refused', problem } }
}
