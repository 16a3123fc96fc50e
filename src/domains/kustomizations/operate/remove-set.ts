/** The end of a set: what its inventory names goes, as its policy says, and nothing else. */
import type { Kubernetes } from '#clients/kubernetes/client.ts'
import type { Discovery } from '#clients/kubernetes/discovery.ts'
import { deleteObject, getObject } from '#clients/kubernetes/objects.ts'
import { metadataOf } from '#formats/manifest/metadata.ts'
import type { Clock } from '#model/clock.ts'
import { problemOf } from '#model/problem.ts'
import { asSeen, isOutdated } from './only-as-seen.ts'
import { gone } from './wait-until-gone.ts'
import { forEachConcurrently } from '../for-each-concurrently.ts'
import { isOwnedBy, wishesOf, wordsOfObject, type ObjectName, type Owner } from '../object.ts'
import { ranksOf } from '../apply-stages.ts'

export type DeletionPolicy = 'MirrorPrune' | 'Delete' | 'WaitForTermination' | 'Orphan'

export type SetRemoval = {
  readonly kubernetes: Kubernetes
  readonly discovery: Discovery
  readonly clock: Clock
  readonly owner: Owner
  /** As `namesIn(status.inventory)` reads it. */
  readonly inventory: readonly ObjectName[]
  /** `MirrorPrune` where there is none: what `prune` says. */
  readonly policy?: DeletionPolicy | undefined
  readonly prune: boolean
  /** How long `WaitForTermination` waits, ms. */
  readonly timeout: number
  readonly signal: AbortSignal
}

export type Removed = {
  readonly deleted: readonly ObjectName[]
  /** Not touched: not ours by now, protected, or the policy says so. */
  readonly kept: readonly { readonly name: ObjectName; readonly why: string }[]
  /** Marked for deletion but not gone when the time was over, and who holds it. */
  readonly held: readonly { readonly name: ObjectName; readonly why: string }[]
  /** Could not be deleted: worth another attempt. */
  readonly failed: readonly { readonly name: ObjectName; readonly why: string }[]
}

const width = 16

export async function removeSet(removal: SetRemoval): Promise<Removed> {
  const { inventory, policy = 'MirrorPrune', prune } = removal
  const result = { deleted: [], kept: [], held: [], failed: [] } as Draft
  if (policy === 'Orphan' || (policy === 'MirrorPrune' && !prune)) {
    const why = policy === 'Orphan' ? 'deletionPolicy is Orphan' : 'prune is false'
    return { ...result, kept: inventory.map((name) => ({ name, why })) }
  }
  for (const rank of ranksOf(inventory).toReversed()) {
    await forEachConcurrently(width, rank, (name) => removeOne(removal, name, result))
  }
  return result
}

type ObjectReason = { readonly name: ObjectName; readonly why: string }
type Draft = {
  readonly deleted: ObjectName[]
  readonly kept: ObjectReason[]
  readonly held: ObjectReason[]
  readonly failed: ObjectReason[]
}

/** So often an object is looked at anew that another one changed between the look and the delete. */
const mostLooks = 5

async function removeOne(
  removal: SetRemoval,
  name: ObjectName,
  result: Draft,
  looks = 1,
): Promise<void> {
  const { kubernetes, discovery, clock, owner, signal, policy, timeout } = removal
  try {
    const kind = await discovery.find(name.apiVersion, name.kind, signal)
    // with its kind all objects of it went
    if (kind === undefined) return void result.deleted.push(name)
    const place = { kind, namespace: name.namespace, name: name.name }
    const live = await getObject(kubernetes, place, signal)
    if (live === undefined) return void result.deleted.push(name)
    const why = keptBecause(live, owner)
    if (why !== undefined) return void result.kept.push({ name, why })
    const { uid } = metadataOf(live)
    const how = await deleteObject(kubernetes, place, { signal, ...asSeen(live) })
    if (how !== 'marked' || policy !== 'WaitForTermination') return void result.deleted.push(name)
    const holder = await gone({ kubernetes, clock }, place, uid, timeout, signal)
    if (holder === undefined) result.deleted.push(name)
    else result.held.push({ name, why: holder })
  } catch (error) {
    signal.throwIfAborted()
    if (isOutdated(error) && looks < mostLooks) return removeOne(removal, name, result, looks + 1)
    result.failed.push({ name, why: problemOf(error).message })
  }
}

/** Undefined: it is ours, and nothing protects it. */
export function keptBecause(
  live: Parameters<typeof isOwnedBy>[0],
  owner: Owner,
): string | undefined {
  if (!isOwnedBy(live, owner)) return 'by now it belongs to someone else'
  return wishesOf(live).isPruned ? undefined : 'its annotations say that it is not pruned'
}

export function heldText({ name, why }: ObjectReason): string {
  return `${wordsOfObject(name)} is being deleted, but not gone: ${why}`
}
