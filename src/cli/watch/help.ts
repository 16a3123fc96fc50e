/** Restarts what is there and not well, by the rules of the service: so often, and then it is told. */
import { remedyFor, usualPace, type RemedyFacts } from '#controller/decide/remedy.ts'
import { healthOfContainers } from '#controller/monitor/app-health.ts'
import type { Application } from '#model/application.ts'
import type { HealthState } from '#model/assessment.ts'
import type { SeenContainer } from '#model/connection.ts'
import { factsOf, problemOf } from '#model/problem.ts'
import type { CommandContext } from '../session.ts'
import type { WatchedEngine } from './engines.ts'
import { tellRepair } from './tell-repair.ts'

export type Help = {
  /** Does what is due. Gives when to ask again if nothing happens before, ms. */
  give(): Promise<number | undefined>
}

export function createHelp(
  application: Application,
  owner: string,
  engine: WatchedEngine,
  { session, screen, signal }: CommandContext,
): Help {
  const { clock } = session
  const { monitor, connection, busy } = engine
  let before: RemedyFacts['before']
  let known: { readonly state: HealthState; readonly since: number } | undefined

  async function restart(
    containers: readonly SeenContainer[],
    causeOf: (one: SeenContainer) => string,
  ): Promise<void> {
    before = { count: (before?.count ?? 0) + 1, at: clock.now() }
    busy.add(owner)
    for (const one of containers) {
      const told = { ref: one.ref, action: 'restart', cause: causeOf(one) }
      const began = clock.now()
      try {
        const wish = { owner, declared: undefined, signal, warn() {} }
        await connection.restart?.(one.name, wish)
        const milliseconds = clock.now() - began
        tellRepair(screen, application, { ...told, at: clock.now(), milliseconds })
      } catch (thrown) {
        if (signal.aborted) break
        const problem = factsOf(problemOf(thrown))
        tellRepair(screen, application, { ...told, at: clock.now(), problem })
      }
      monitor.records.forgetLook(one.id)
    }
    busy.delete(owner)
    before = { ...before, at: clock.now() }
    await monitor.look()
  }

  return {
    async give() {
      const now = clock.now()
      const listed = monitor.listing()?.apps.get(owner)?.listed ?? []
      const { health, each, unwell, isLooping, until } = healthOfContainers(
        listed,
        [],
        monitor.records,
        now,
      )
      const { state, reason } = health
      if (known?.state !== state) known = { state, since: now }
      const remedy = remedyFor({
        now,
        policy: 'restart',
        state,
        since: known.since,
        restartable: connection.restart === undefined ? 0 : unwell.length,
        isLooping,
        isInVain: false,
        before,
        probationUntil: 0,
        mayRollBack: false,
        pace: usualPace,
      })
      if (remedy.what === 'restart')
        await restart(unwell, ({ ref }) => each.get(ref)?.message ?? '')
      if (remedy.what === 'give up') {
        screen.note(`${application.name} is not well, and nothing more is tried: ${reason}`)
        before = { count: before?.count ?? 0, at: now, isOver: true }
      }
      if (remedy.what === 'well again') {
        if (before?.isOver === true) screen.note(`${application.name} is well again`)
        before = undefined
      }
      return Math.min(remedy.until ?? Infinity, until ?? Infinity)
    },
  }
}
