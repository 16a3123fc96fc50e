/** The binds of all containers of an engine, so that what lies above and below a path is found without comparing it with each of them. */
import { normalize } from 'node:path'
import type { HostBind } from './confinement.ts'

type Placed = { readonly path: string; readonly bind: HostBind }

export type BindIndex = {
  /** One that may be written and lies above a path. `isExempt`: those that are no danger. */
  writableAbove(path: string, isExempt: (bind: HostBind) => boolean): HostBind | undefined
  below(path: string): HostBind | undefined
}

/** `real`: the path with its links followed. Whoever has the root of the host needs no link to reach it, and is left out. */
export function bindIndex(binds: readonly (HostBind & { readonly real: string })[]): BindIndex {
  const placed = binds
    .filter(({ path }) => tidy(path) !== '')
    .flatMap((bind): readonly Placed[] => [
      { path: tidy(bind.path), bind },
      { path: tidy(bind.real), bind },
    ])
  const sorted = placed.toSorted((one, other) => compare(one.path, other.path))
  const writable = Map.groupBy(
    placed.filter(({ bind }) => bind.isWritable),
    ({ path }) => path,
  )
  return {
    writableAbove(path, isExempt) {
      for (let above = parentOf(tidy(path)); above !== undefined; above = parentOf(above)) {
        const found = writable.get(above)?.find(({ bind }) => !isExempt(bind))
        if (found !== undefined) return found.bind
      }
      return undefined
    },
    below(path) {
      const start = `${tidy(path)}/`
      const first = sorted[firstFrom(sorted, start)]
      return first?.path.startsWith(start) === true ? first.bind : undefined
    },
  }
}

/** Without a slash at its end; the root is empty. */
function tidy(path: string): string {
  const clean = normalize(path)
  return clean.endsWith('/') ? clean.slice(0, -1) : clean
}

function parentOf(path: string): string | undefined {
  return path === '' ? undefined : path.slice(0, path.lastIndexOf('/'))
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}

/** Where the first one is that is not before this text. */
function firstFrom(sorted: readonly Placed[], text: string): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle]?.path ?? text) < text) low = middle + 1
    else high = middle
  }
  return low
}
