/** Turns the target's watch into something that single waits can listen to. */
import type { Target } from '#model/domain.ts'
import type { Ref } from '#model/ref.ts'

export type WatchFeed = {
  /** Resolves at the next news of this ref, or of anything. */
  next(ref: Ref): Promise<void>
  close(): Promise<void>
}

/** A watch that breaks costs nothing but speed: waits then go by the times that looks ask for. */
export function watchFeed(target: Target, owner: string): WatchFeed {
  const stop = new AbortController()
  let listeners = new Map<Ref, { readonly promise: Promise<void>; readonly tell: () => void }>()
  let isListening = false
  let reading: Promise<void> = Promise.resolve()

  async function read(): Promise<void> {
    try {
      for await (const ref of target.watch(owner, stop.signal)) {
        if (ref === '') {
          const all = listeners
          listeners = new Map()
          for (const { tell } of all.values()) tell()
        } else {
          listeners.get(ref)?.tell()
          listeners.delete(ref)
        }
      }
    } catch {
      // without events the looks go on by time
      isListening = false
    }
  }

  function next(ref: Ref): Promise<void> {
    if (!isListening) {
      isListening = true
      reading = read()
    }
    const known = listeners.get(ref)
    if (known !== undefined) return known.promise
    const { promise, resolve } = Promise.withResolvers<void>()
    listeners.set(ref, { promise, tell: resolve })
    return promise
  }

  return {
    next,
    async close() {
      stop.abort()
      await reading
    },
  }
}
