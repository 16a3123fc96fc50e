/** Keeps the newest renders in memory until their runs begin: applications hold them by WeakRef, and would lose them to the garbage collector. */

export type RenderCache = { keep(thing: object, weight: number): void }

/** As many of the newest as weigh no more than this together; one that alone weighs more is not kept. */
export function createRenderCache(most: number): RenderCache {
  const kept = new Map<object, number>()
  let total = 0
  function drop(thing: object): void {
    total -= kept.get(thing) ?? 0
    kept.delete(thing)
  }
  return {
    keep(thing, weight) {
      drop(thing)
      if (weight > most) return
      kept.set(thing, weight)
      total += weight
      for (const oldest of kept.keys()) {
        if (total <= most) return
        drop(oldest)
      }
    },
  }
}
