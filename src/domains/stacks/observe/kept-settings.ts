/** What was inspected of containers, kept for as long as somebody listens to the engine, which says when one is changed. */
import type { JsonRecord } from '#model/json.ts'

export type KeptSettings = {
  /** What is kept of the container with this id, else what `inspect` tells. Nothing is kept while nobody listens. */
  inspected(id: string, inspect: () => Promise<Inspected>): Promise<Inspected>
  /** The engine's events are heard from now on, until `deaf`. */
  listening(): void
  deaf(): void
  /** Something happened to the container with this id; without one, perhaps to all. */
  forget(id?: string): void
}

/** The settings of the host that it was made with; undefined: it is gone. */
type Inspected = JsonRecord[string] | undefined

/** An engine may drop an event for a listener that is slow: nothing is kept for longer than this, ms. */
const longest = 10 * 60_000

export function keptSettings(now: () => number = Date.now): KeptSettings {
  let isHeard = false
  const kept = new Map<string, { readonly at: number; readonly asked: Promise<Inspected> }>()
  return {
    inspected(id, inspect) {
      if (!isHeard) return inspect()
      const known = kept.get(id)
      // whoever began it may have been told to stop: that is no news for us
      if (known !== undefined && now() - known.at < longest) return known.asked.catch(inspect)
      // it is kept before it is answered: what happens meanwhile makes it be forgotten
      const own = { at: now(), asked: inspect() }
      kept.set(id, own)
      own.asked.then(
        (found) => found === undefined && remove(id, own),
        () => remove(id, own),
      )
      return own.asked
    },
    listening() {
      kept.clear()
      isHeard = true
    },
    deaf() {
      kept.clear()
      isHeard = false
    },
    forget(id) {
      if (id === undefined) kept.clear()
      else kept.delete(id)
    },
  }

  function remove(id: string, own: object): void {
    if (kept.get(id) === own) kept.delete(id)
  }
}
