/** What may never be in the history of leases and runs, or on what they made: the checker. */

export type Write =
  | {
      readonly of: 'lease'
      readonly key: string
      /** Empty when it was released. */
      readonly token: string
      readonly generation: number
      /** ms, by the database's clock, as `at` is. */
      readonly expiresAt: number
      readonly at: number
    }
  | {
      readonly of: 'begin' | 'event' | 'end'
      readonly key: string
      readonly run: number
      /** The generation under which the run was begun. */
      readonly generation: number
      readonly at: number
      /** Of an end: what was applied, if it succeeded, and how many resources that changed. */
      readonly done?: { readonly hash: string; readonly changes: number } | undefined
    }

/** What may never be, each with the write that shows it. Empty: nothing of it was. `deaths`: when holders were killed, ms. */
export function faultsIn(
  history: readonly Write[],
  deaths: readonly number[] = [],
): readonly string[] {
  const faults: string[] = []
  const leases = new Map<string, Extract<Write, { readonly of: 'lease' }>>()
  const open = new Map<string, { readonly run: number; readonly generation: number }>()
  const applied = new Map<string, string>()
  for (const write of history) {
    const lease = leases.get(write.key)
    if (write.of === 'lease') {
      if (lease !== undefined) faults.push(...leaseFaults(lease, write, deaths))
      leases.set(write.key, write)
      continue
    }
    if (lease !== undefined && write.generation < lease.generation) {
      faults.push(
        `${write.key}: ${write.of} of run ${write.run} under generation ${write.generation}, though ${lease.generation} was taken before`,
      )
    }
    const other = open.get(write.key)
    if (write.of === 'begin') {
      if (other !== undefined && other.generation >= write.generation) {
        faults.push(`${write.key}: run ${write.run} began while run ${other.run} went on`)
      }
      if (other !== undefined && other.run >= write.run) {
        faults.push(`${write.key}: run ${write.run} began after run ${other.run}`)
      }
      open.set(write.key, write)
    } else if (write.of === 'end') {
      if (other?.run === write.run) open.delete(write.key)
      const { hash, changes } = write.done ?? {}
      if (hash !== undefined && changes === 0 && applied.get(write.key) === hash) {
        faults.push(`${write.key}: run ${write.run} did again what the run before it had done`)
      }
      if (hash !== undefined) applied.set(write.key, hash)
    }
  }
  return faults
}

function leaseFaults(
  before: Extract<Write, { readonly of: 'lease' }>,
  now: Extract<Write, { readonly of: 'lease' }>,
  deaths: readonly number[],
): readonly string[] {
  const faults: string[] = []
  if (now.generation < before.generation) {
    faults.push(`${now.key}: generation ${now.generation} after ${before.generation}`)
  }
  const isTaken = now.token !== '' && now.token !== before.token
  if (!isTaken) return faults
  if (now.generation === before.generation) {
    faults.push(`${now.key}: another holder under the same generation ${now.generation}`)
  }
  const isDead = deaths.some((at) => at >= before.at && at <= now.at)
  if (before.token !== '' && before.expiresAt > now.at && !isDead) {
    faults.push(
      `${now.key}: generation ${now.generation} was taken ${before.expiresAt - now.at} ms before ${before.generation} had ended`,
    )
  }
  return faults
}

/** Something on an engine, as its labels tell. */
export type Made = {
  readonly key: string
  readonly name: string
  readonly generation: number
  /** When the engine made it, ms. */
  readonly at: number
}

/** The same for what was made: each thing by a run that had the right to it then. */
export function faultsOnLabels(
  history: readonly Write[],
  made: readonly Made[],
): readonly string[] {
  return made.flatMap(({ key, name, generation, at }) => {
    const runs = history.filter((write) => write.of === 'begin' && write.key === key)
    const own = runs.find((run) => run.generation === generation)
    if (own === undefined) {
      return [`${name}: made under generation ${generation} of ${key}, in which no run began`]
    }
    if (at < own.at)
      return [`${name}: made before generation ${generation} of ${key} began its run`]
    const next = runs.find((run) => run.generation > generation && run.at < at)
    if (next === undefined) return []
    return [
      `${name}: made under generation ${generation} of ${key}, after generation ${next.generation} began its run`,
    ]
  })
}
