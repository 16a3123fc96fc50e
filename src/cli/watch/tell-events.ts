/** Prints what happens to watched applications: each thing that was repaired, and what could not be. */
import type { Restarted } from '#controller/dependencies.ts'
import { applicationOf } from '#kinds/application-of.ts'
import type { Log } from '#model/log.ts'
import type { EventOf } from '#model/event.ts'
import type { Group } from '#model/plan.ts'
import type { Ref } from '#model/ref.ts'
import type { ServiceEvent } from '#model/service.ts'
import type { CommandContext } from '../session.ts'
import { tellRepair } from './tell-repair.ts'

export type Teller = {
  readonly log: Log
  heard(event: ServiceEvent): void
  restarted(restart: Restarted): void
}

export function createTeller({ screen, session }: CommandContext): Teller {
  /** The plan of the run that is under way, by application. */
  const planned = new Map<string, ReadonlyMap<Ref, Group>>()
  const givenUp = new Set<string>()

  function heardGroup(key: string, { at, ref, step, phase, ...group }: EventOf<'group'>): void {
    const application = applicationOf(key)
    const isTold =
      phase === 'passed' || phase === 'failed' || (phase === 'done' && step === 'delete')
    if (application === undefined || !isTold) return
    tellRepair(screen, application, {
      at,
      ref,
      action: step,
      cause: planned.get(key)?.get(ref)?.cause ?? '',
      milliseconds: group.milliseconds,
      problem: phase === 'failed' ? (group.problem ?? unexplained) : undefined,
    })
  }

  return {
    heard(event) {
      if (event.type === 'run' && event.event.type === 'planned') {
        planned.set(event.key, new Map(event.event.plan.groups.map((one) => [one.ref, one])))
      }
      if (event.type === 'run' && event.event.type === 'group') heardGroup(event.key, event.event)
      if (event.type !== 'app') return
      const { key, application, health } = event.status
      if (health.isGivenUp) givenUp.add(key)
      else if (givenUp.delete(key)) screen.note(`${application.name} is well again`)
    },
    restarted({ key, ref, why, milliseconds, problem }) {
      const application = applicationOf(key)
      const told = { at: session.clock.now(), ref, action: 'restart', cause: why }
      if (application) tellRepair(screen, application, { ...told, milliseconds, problem })
    },
    log(level, message, { app, engine, why, error, reason, container } = {}) {
      const subject = engine ?? (app === undefined ? undefined : applicationOf(`${app}`)?.name)
      const isTold = engine !== undefined || level === 'error'
      // a restart has a line of its own
      if (!isTold || container !== undefined) return
      const words = [subject, message, why ?? error ?? reason]
      screen.note(words.filter((one) => one !== undefined).join(': '))
    },
  }
}

const unexplained = { type: 'runtime', code: 'bug', message: 'skipped' } as const
