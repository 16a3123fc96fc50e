/** What a set has: its labels may also be on copies that others made, and on objects of a set of the same name elsewhere or before. */
import { recordOf, textOf } from '#model/read-json.ts'
import { namesIn } from '#domains/kustomizations/inventory.ts'
import { refOfObject } from '#domains/kustomizations/object.ts'
import type { Ref } from '#model/ref.ts'
import type { Resource } from '#model/resource.ts'
import type { Store } from '#model/store.ts'
import { livingRuns, pastOf } from '#store/past.ts'
import { applicationOf } from '#kinds/application-of.ts'
import { applicationFor, type FluxObject } from './kinds.ts'

/** As its inventory says, as its last good run had it, and what was tried since. `object`: undefined where a file declares it. */
export async function ownedObjectsOf(
  key: string,
  object: FluxObject | undefined,
  store: Store,
): Promise<ReadonlySet<Ref>> {
  const refs = new Set(namesIn(object?.status['inventory'] ?? null).map(refOfObject))
  const application = applicationOf(key)
  if (application === undefined) return refs
  const seen = new Set<string>()
  for (const run of await livingRuns(application, store)) {
    // of another object by its name, whose end left everything where it was
    if (run.startedAt < createdAt(object)) break
    const { hash, outcome, hasSnapshot } = run
    if (!hasSnapshot || outcome === 'refused') continue
    const past = seen.has(hash) ? undefined : await pastOf(application, run, store)
    seen.add(hash)
    for (const { ref } of past?.snapshot.resources ?? []) refs.add(ref)
    if (outcome === 'succeeded') break
  }
  return refs
}

/**
 * For the inventory: what the last good run applied, and what was begun since and not taken back. Undefined: the runs that are
 * kept do not tell. `isNew`: no run of it ever went well.
 */
export async function resourcesOf(
  object: FluxObject,
  isNew: boolean,
  store: Store,
): Promise<readonly Resource[] | undefined> {
  const application = applicationFor(object)
  const found = new Map<Ref, Resource>()
  for (const run of await livingRuns(application, store)) {
    if (run.startedAt < createdAt(object)) break
    const { outcome, hasSnapshot, isRolledBack } = run
    if (!hasSnapshot || outcome === 'refused' || isRolledBack) continue
    const past = await pastOf(application, run, store)
    for (const one of past?.snapshot.resources ?? []) {
      if (!found.has(one.ref)) found.set(one.ref, one)
    }
    if (outcome === 'succeeded') return [...found.values()]
  }
  return isNew && found.size > 0 ? [...found.values()] : undefined
}

function createdAt(object: FluxObject | undefined): number {
  return Date.parse(textOf(recordOf(object?.object['metadata'])['creationTimestamp'])) || 0
}
