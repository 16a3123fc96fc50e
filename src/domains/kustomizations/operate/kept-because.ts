/** Why an object that a set made is not removed with it. */
import { isOwnedBy, wishesOf, type Owner } from '../object.ts'

/** Undefined: it is ours, and nothing protects it. */
export function keptBecause(
  live: Parameters<typeof isOwnedBy>[0],
  owner: Owner,
): string | undefined {
  if (!isOwnedBy(live, owner)) return 'by now it belongs to someone else'
  return wishesOf(live).isPruned ? undefined : 'its annotations say that it is not pruned'
}
