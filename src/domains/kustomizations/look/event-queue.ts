/** A queue of events with many writers and one reader, who gets them in order. */

type Queue<Item> = {
  put(item: Item): void
  /** Ends only by its signal. */
  read(signal: AbortSignal): AsyncIterable<Item>
}

export function queueOf<Item>(): Queue<Item> {
  let items: Item[] = []
  let wake = (): void => undefined
  return {
    put(item) {
      items.push(item)
      wake()
    },
    async *read(signal) {
      const end = () => wake()
      signal.addEventListener('abort', end)
      try {
        while (!signal.aborted) {
          const taken = items
          items = []
          yield* taken
          if (items.length > 0 || signal.aborted) continue
          await new Promise<void>((resolve) => (wake = resolve))
        }
      } finally {
        signal.removeEventListener('abort', end)
      }
    },
  }
}
