/** Keeps long work from blocking the event loop: it pauses every few milliseconds, so that requests are answered meanwhile. */
import { defined } from '#model/defined.ts'

/** How long work goes on without a pause, ms. A request waits for two or three such turns. */
const turn = 4

/** Gives a function to be awaited often during long work: it pauses when the last pause is longer ago than a turn. */
export function yieldToEventLoop(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < turn) return
    await new Promise((resolve) => setImmediate(resolve))
    since = performance.now()
  }
}

/** As `map` does, with pauses. */
export async function mappedInTurns<Item, Result>(
  all: readonly Item[],
  resultOf: (item: Item) => Result,
): Promise<readonly Result[]> {
  const pause = yieldToEventLoop()
  const results: Result[] = []
  for (const item of all) {
    results.push(resultOf(item))
    await pause()
  }
  return results
}

/** Cuts a list into pieces that are short enough to be worked on without a pause. */
export function piecesOf<Item>(all: readonly Item[], length = 2_000): readonly (readonly Item[])[] {
  const pieces: (readonly Item[])[] = []
  for (let at = 0; at < all.length; at += length) pieces.push(all.slice(at, at + length))
  return pieces
}

/** Sorts as `toSorted` without an argument does, with pauses: pieces are sorted first and then merged two by two. */
export async function sortedInTurns(
  texts: readonly string[],
  pause: () => Promise<void>,
): Promise<readonly string[]> {
  let runs: (readonly string[])[] = []
  for (const piece of piecesOf(texts)) {
    runs.push(piece.toSorted())
    await pause()
  }
  while (runs.length > 1) {
    const longer: (readonly string[])[] = []
    for (let at = 0; at < runs.length; at += 2) {
      longer.push(await merged(defined(runs[at]), runs[at + 1] ?? [], pause))
    }
    runs = longer
  }
  return runs[0] ?? []
}

async function merged(
  left: readonly string[],
  right: readonly string[],
  pause: () => Promise<void>,
): Promise<readonly string[]> {
  const all: string[] = []
  for (let [one, other] = [0, 0]; one < left.length || other < right.length;) {
    const isLeft =
      other >= right.length || (one < left.length && defined(left[one]) <= defined(right[other]))
    all.push(isLeft ? defined(left[one++]) : defined(right[other++]))
    if (all.length % 2_000 === 0) await pause()
  }
  return all
}
