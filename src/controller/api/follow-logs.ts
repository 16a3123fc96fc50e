/** Follows the logs of containers that come and go: one that was restarted, or is new, is heard as well. */
import type { TimedLine } from '#model/connection.ts'

export type ContainerLine = { readonly container: string; readonly line: TimedLine }

type Followed = {
  /** Those that are there at the beginning. */
  readonly names: readonly string[]
  /** When each of them wrote its last line that is known already. */
  readonly lasts: Map<string, string>
  /** Those that are there now. */
  readonly look: () => Promise<readonly string[]>
  /** Another value whenever containers may have come or gone. */
  readonly mark: () => unknown
  /** What a container writes after its last line; empty: none is known. `isFirst`: it is there from the beginning. */
  readonly read: (
    container: string,
    last: string,
    isFirst: boolean,
  ) => AsyncIterable<TimedLine> | Iterable<TimedLine>
  readonly signal: AbortSignal
}

/** How often it is looked whether there are others, ms; nobody is asked while nothing has changed. */
const every = 1000
/** When the last one has ended, another one may come within this time, ms. */
const patience = 3000

/** Each line as it comes, whoever it is from; ends when all containers have, and none came back. */
export async function* followLogs(
  { names, lasts, look, mark, read, signal }: Followed,
  { every: pause, patience: longest } = { every, patience },
): AsyncIterable<ContainerLine> {
  const waiting: ContainerLine[] = []
  const open = new Set<string>()
  let wake: () => void = () => undefined
  let known = mark()
  let endedAt = Date.now()

  async function listen(container: string, isFirst: boolean): Promise<void> {
    open.add(container)
    const since = Date.now()
    let last = lasts.get(container) ?? ''
    try {
      for await (const line of read(container, last, isFirst)) {
        if (compareTimes(line.time, last) <= 0) continue
        last = line.time
        lasts.set(container, last)
        waiting.push({ container, line })
        endedAt = Date.now()
        wake()
      }
    } catch {
      // a container that went away has no more lines
    }
    open.delete(container)
    // one that ended long ago ends at once each time: that is no news
    if (Date.now() - since > longest) endedAt = Date.now()
    wake()
  }

  /** After an end for a while too: what is restarted comes back a moment later. */
  async function lookAgain(): Promise<void> {
    const isRecent = open.size < names.length && Date.now() - endedAt <= longest
    if (mark() === known && !isRecent) return
    known = mark()
    for (const name of await look()) if (!open.has(name)) void listen(name, false)
  }

  for (const name of names) void listen(name, true)
  const looking = setInterval(() => {
    // an engine that is away is asked again the next time
    void lookAgain()
      .catch(() => undefined)
      .finally(() => wake())
  }, pause)
  signal.addEventListener('abort', () => wake(), { once: true })
  try {
    while (!signal.aborted) {
      yield* waiting.splice(0)
      if (waiting.length > 0) continue
      if (open.size === 0 && Date.now() - endedAt > longest) return
      await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    clearInterval(looking)
  }
}

/** Times of one engine have one form; those of equal length are in the order of their letters. */
export function compareTimes(one: string, other: string): number {
  const [a, b] = [Date.parse(one), Date.parse(other)]
  if (a !== b && !Number.isNaN(a) && !Number.isNaN(b)) return a - b
  return one === other ? 0 : one < other ? -1 : 1
}
