/** What an application waits for, and why that may last for ever. */
import type { AppState } from '../state/app-state.ts'

/** `stack:db`, and what keeps that from ever coming. */
export function whyWaits(
  appStates: ReadonlyMap<string, AppState>,
  waiting: string,
): (needed: string) => string {
  return (needed) => {
    if (!appStates.has(needed)) return `${needed}, which nobody declared`
    const circle = wayBack(appStates, needed, waiting)
    if (circle === undefined) return needed
    const all = [waiting, ...circle].join(' → ')
    return `${needed}, in a circle: ${all} (take one of them out of dependsOn)`
  }
}

/** From one to the other along what each waits for, both included. */
function wayBack(
  appStates: ReadonlyMap<string, AppState>,
  from: string,
  to: string,
): readonly string[] | undefined {
  const cameFrom = new Map<string, string | undefined>([[from, undefined]])
  for (const key of cameFrom.keys()) {
    if (key === to) return trail(cameFrom, to)
    for (const next of appStates.get(key)?.declared?.policy.dependsOn ?? []) {
      if (!cameFrom.has(next)) cameFrom.set(next, key)
    }
  }
  return undefined
}

function trail(cameFrom: ReadonlyMap<string, string | undefined>, end: string): readonly string[] {
  const before = cameFrom.get(end)
  return before === undefined ? [end] : [...trail(cameFrom, before), end]
}
