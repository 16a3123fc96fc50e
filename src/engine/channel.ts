/** A stream that is pushed into at one end and read at the other. */

export type Channel<Item> = {
  push(item: Item): void
  close(): void
  fail(reason: unknown): void
  readonly stream: AsyncIterable<Item>
}

export function channelOf<Item>(): Channel<Item> {
  let items: Item[] = []
  let isClosed = false
  let wake = Promise.withResolvers<void>()

  async function* read(): AsyncGenerator<Item> {
    for (;;) {
      const taken = items
      items = []
      yield* taken
      if (items.length > 0) continue
      if (isClosed) return
      await wake.promise
      wake = Promise.withResolvers<void>()
    }
  }

  return {
    push(item) {
      items.push(item)
      wake.resolve()
    },
    close() {
      isClosed = true
      wake.resolve()
    },
    fail(reason) {
      wake.reject(reason)
    },
    stream: read(),
  }
}
