/** Keywords of lists. */
import { canonical } from './equality.ts'
import { Outcome } from './outcome.ts'
import type { Keywords, ValuePath } from './read-schema.ts'

export function itemFaults(
  { field, has, inside, check, draft }: Keywords,
  items: readonly unknown[],
  path: ValuePath,
  outcome: Outcome,
): void {
  function fault(message: string): void {
    outcome.faults.push({ path, message })
  }
  const [least, most] = [field('minItems'), field('maxItems')]
  if (typeof least === 'number' && items.length < least)
    fault(`expected at least ${least} items, found ${items.length}`)
  if (typeof most === 'number' && items.length > most)
    fault(`expected at most ${most} items, found ${items.length}`)
  if (field('uniqueItems') === true && new Set(items.map(canonical)).size < items.length)
    fault('an item is there twice')

  const tuple = draft === 2020 ? 'prefixItems' : 'items'
  const listed = field(tuple)
  const first = Array.isArray(listed) ? listed.length : 0
  const rest = draft === 2020 ? 'items' : Array.isArray(listed) ? 'additionalItems' : 'items'
  for (const [index, item] of items.entries()) {
    const isListed = index < first
    if (!isListed && !has(rest)) continue
    const found = check(isListed ? inside(tuple, index) : inside(rest), item, [...path, index])
    for (const each of found.faults) outcome.faults.push(each)
    outcome.seen.add(index)
  }
  if (has('contains') && draft > 4) containsFaults()
  if (!has('unevaluatedItems') || draft < 2019) return
  for (const [index, item] of items.entries()) {
    if (outcome.seen.has(index)) continue
    const found = check(inside('unevaluatedItems'), item, [...path, index])
    for (const each of found.faults) outcome.faults.push(each)
    outcome.seen.add(index)
  }

  function containsFaults(): void {
    const fitting = items.flatMap((item, index) =>
      check(inside('contains'), item, [...path, index]).isValid ? [index] : [],
    )
    if (draft === 2020) for (const index of fitting) outcome.seen.add(index)
    const [fewest, greatest] = [field('minContains'), field('maxContains')]
    const needed = draft >= 2019 && typeof fewest === 'number' ? fewest : 1
    if (fitting.length < needed) fault(`expected at least ${needed} items of a certain form`)
    if (draft >= 2019 && typeof greatest === 'number' && fitting.length > greatest)
      fault(`expected at most ${greatest} items of a certain form`)
  }
}
