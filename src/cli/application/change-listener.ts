/** Rings when something happened to what an owner has; listens again when the line breaks. */
import type { Target } from '#model/domain.ts'

export type ChangeListener = {
  /** Resolves at the next event, at once if one came since, or after so many ms. */
  next(longest: number): Promise<void>
  /** What came so far is dealt with. */
  clear(): void
  close(): void
}

const redial = 500

export function listenForChanges(
  target: Target,
  owner: string,
  signal: AbortSignal,
): ChangeListener {
  const own = new AbortController()
  const stop = AbortSignal.any([signal, own.signal])
  let hasRung = false
  let wake: (() => void) | undefined

  function ring(): void {
    hasRung = true
    wake?.()
  }

  async function listen(): Promise<void> {
    while (!stop.aborted) {
      try {
        for await (const _ of target.watch(owner, stop)) ring()
      } catch {
        // The line broke, or it is over: the loop sees which.
      }
      if (!stop.aborted) await new Promise((resolve) => setTimeout(resolve, redial).unref())
    }
  }

  void listen()
  stop.addEventListener('abort', ring, { once: true })
  return {
    async next(longest) {
      if (hasRung) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, longest)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      wake = undefined
    },
    clear() {
      hasRung = stop.aborted
    },
    close() {
      own.abort()
    },
  }
}
