/** What carries an owner's labels, by ref. */
import { addToList } from '#model/observation-index.ts'
import type { Ref } from '#model/ref.ts'
import { recordLabel, type Labels } from '../record.ts'

export function ownByRef<Item extends { readonly labels: Labels }>(
  items: readonly Item[],
  owner: string,
): ReadonlyMap<Ref, readonly Item[]> {
  const found = new Map<Ref, Item[]>()
  for (const index of ownersIn(items).get(owner) ?? []) {
    const item = items[index]
    const ref = item?.labels[recordLabel.ref]
    if (item === undefined || ref === undefined) continue
    // infra containers carry their pod's labels: they are the pod's
    if ('isInfra' in item && item.isInfra === true) continue
    addToList(found, ref, item)
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
    const owner = labels[recordLabel.owner]
    if (owner !== undefined) addToList(found, owner, index)
  }
  owners.set(items, found)
  return found
}
