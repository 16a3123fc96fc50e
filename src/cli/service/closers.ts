/** Closes everything at the end, the last opened first. A failure keeps no other from being closed. */

type Closers = {
  add(close: () => unknown): void
  close(): Promise<void>
}

export function closers(): Closers {
  const all: (() => unknown)[] = []
  return {
    add: (close) => void all.push(close),
    async close() {
      const failed: unknown[] = []
      for (const close of all.toReversed()) {
        try {
          await close()
        } catch (thrown) {
          failed.push(thrown)
        }
      }
      if (failed.length > 0) throw failed[0]
    },
  }
}
