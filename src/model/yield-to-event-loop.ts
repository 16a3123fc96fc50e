/** ms. Who asks the service something waits for two or three turns of whatever else goes on. */
import { defined } from '#model/defined.ts'
const turn = 4

/** Lets others have their turn in a long piece of work. */
export function yieldToEventLoop(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < turn) return
    await new Promise((resolve) => setImmediate(resolve))
    since = performance.now()
  }
}

/** Pieces that are short enough to be worked on without a pause. */
export function piecesOf<Item>(all: readonly Item[], length = 2_000): readonly (readonly Item[])[] {
  const pieces: (readonly Item[])[] = []
  for (let at = 0; at < all.length; at += length) pieces.push(all.slice(at, at + length))
  return pieces
}

/** As `toSorted` without an argument, in turns with others: pieces first, then two by two. */
export async function sortedInTurns(
  texts: readonly string[],
  breathe: () => Promise<void>,
): Promise<readonly string[]> {
  let runs: (readonly string[])[] = []
  for (const piece of piecesOf(texts)) {
    runs.push(piece.toSorted())
    await breathe()
  }
  while (runs.length > 1) {
    const longer: (readonly string[])[] = []
    for (let at = 0; at < runs.length; at += 2) {
      longer.push(await merged(defined(runs[at]), runs[at + 1] ?? [], breathe))
    }
    runs = longer
  }
  return runs[0] ?? []
}

async function merged(
  left: readonly string[],
  right: readonly string[],
  breathe: () => Promise<void>,
): Promise<readonly string[]> {
  const all: string[] = []
  for (let [one, other] = [0, 0]; one < left.length || other < right.length;) {
    const isLeft =
      other >= right.length || (one < left.length && defined(left[one]) <= defined(right[other]))
    all.push(isLeft ? defined(left[one++]) : defined(right[other++]))
    if (all.length % 2_000 === 0) await breathe()
  }
  return all
}
