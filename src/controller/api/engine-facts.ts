/** What each engine says of itself: asked once it can be reached, remembered, and never waited for long. */
import type { Connection, EngineAbout } from '#model/connection.ts'
import type { TargetMonitor } from '../monitor/target-monitor.ts'

export type EngineFacts = {
  /** Waits a moment for those of which nothing is known yet. */
  learn(monitors: readonly TargetMonitor[]): Promise<void>
  of(monitor: TargetMonitor): EngineAbout | undefined
}

/** How long a page waits for engines that were not asked before, ms. */
const patience = 500
/** How long an engine may take, for the next who asks, ms. */
const longest = 10_000
/** After which an engine may have been upgraded, ms. */
const keptFor = 10 * 60_000

type Known = { readonly at: number; readonly about: EngineAbout | undefined }

export function engineFacts(clock: { now(): number }, stop: AbortSignal): EngineFacts {
  const known = new WeakMap<Connection, Known>()
  const asking = new WeakMap<Connection, Promise<void>>()

  async function ask(connection: Connection): Promise<void> {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(longest)])
    const before = known.get(connection)?.about
    const about = await connection.about?.(signal).catch(() => before)
    known.set(connection, { at: clock.now(), about })
    asking.delete(connection)
  }

  function isFresh(connection: Connection): boolean {
    const found = known.get(connection)
    return found?.about !== undefined && clock.now() - found.at < keptFor
  }

  return {
    async learn(monitors) {
      const connections = monitors
        .filter((monitor) => monitor.problem() === undefined && monitor.listing() !== undefined)
        .map((monitor) => monitor.connection())
      const unknown = connections.filter((one) => one.about !== undefined && !isFresh(one))
      for (const one of unknown) if (!asking.has(one)) asking.set(one, ask(one))
      const first = unknown.filter((one) => known.get(one)?.about === undefined)
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, patience)
      })
      await Promise.race([Promise.all(first.flatMap((one) => asking.get(one) ?? [])), late])
      clearTimeout(timer)
    },
    of(monitor) {
      try {
        return known.get(monitor.connection())?.about
      } catch {
        // there is no engine: the reason says so
        return undefined
      }
    },
  }
}
