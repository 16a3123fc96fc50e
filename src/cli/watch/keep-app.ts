/** Keeps one application as it was applied: by the eyes and the rules of the service, with the last good run as its source. */
import { repairAt } from '#controller/decide/app-status.ts'
import { backoff } from '#controller/decide/backoff.ts'
import {
  repairsAfter,
  vainPause,
  vainRepairs,
  type Repairs,
} from '#controller/guards/crash-loop.ts'
import { ownerOf } from '#model/application.ts'
import type { ApplicationRecord } from '#model/store.ts'
import type { Flags } from '../arguments/invocation.ts'
import { engineIn } from '../application/engine.ts'
import type { CommandContext, Memory } from '../session.ts'
import type { WatchedEngine, WatchedEngines } from './engines.ts'
import { createHelp } from './help.ts'
import { repair, type Repaired } from './repair.ts'

/** Until it is uninstalled or applied elsewhere, or the watch ends. */
export async function keepApp(
  record: ApplicationRecord,
  engines: WatchedEngines,
  flags: Flags,
  context: CommandContext,
  memory: Memory,
): Promise<void> {
  const { session, signal } = context
  const { application } = record
  const engine = await engines.for(record)
  if (engine === undefined) return
  const owner = ownerOf(session.instance, application)
  const bell = engines.bellFor(engine, owner)
  const ports = engine.connection.ports(owner)
  const pace = createPace(application.name, flags, context)
  const help = createHelp(application, owner, engine, context)
  while (!signal.aborted) {
    const now = await memory.store.application(application)
    if (now === undefined || now.isUninstalled || hasMoved(record, now)) break
    const seen = marksOf(engine, owner)
    if (seen !== undefined && pace.isDue(seen)) {
      engine.busy.add(owner)
      const repaired = await repair(now, flags, context, memory, ports)
      engine.busy.delete(owner)
      pace.ended(seen, repaired)
      if (repaired.drift !== undefined) await engine.monitor.look()
    }
    const until = pace.isClean(seen) ? await help.give() : undefined
    const next = Math.min(pace.next(), until ?? Infinity) - session.clock.now()
    // of an engine that can't be seen the monitor rings when it is back
    const isSeen = marksOf(engine, owner) !== undefined
    await bell.next(isSeen ? Math.max(next, 0) : flags.interval, signal)
  }
  engine.bells.delete(owner)
}

/** What lists and events tell of it: another text whenever something may have drifted. Undefined: the engine can't be seen. */
function marksOf({ monitor }: WatchedEngine, owner: string): string | undefined {
  const listing = monitor.listing()
  const fingerprint = listing?.apps.get(owner)?.fingerprint ?? 'nothing'
  return listing && `${fingerprint} ${monitor.changes(owner)}`
}

/** Then it is watched anew, where it is now. */
function hasMoved(one: ApplicationRecord, now: ApplicationRecord): boolean {
  return engineIn(one.source)?.address !== engineIn(now.source)?.address
}

/** Ended by a signal: somebody stopped or killed it, and it did not fall by itself. */
const byOthers = /\(exit code (137|143)\)/

type Pace = {
  isDue(seen: string): boolean
  ended(seen: string, repaired: Repaired): void
  isClean(seen: string | undefined): boolean
  /** When to look again if nothing happens before, ms. */
  next(): number
}

/** When it is looked at and repaired: at once, unless repairs fail or do not hold. */
function createPace(name: string, flags: Flags, { session, screen }: CommandContext): Pace {
  const { clock } = session
  const counts = new Map<string, Repairs>()
  let failures = 0
  let clean: string | undefined
  let lookAt = 0
  let notBefore = 0
  let told = ''

  /** The same trouble is told once, however often it is met. */
  function tell(trouble: string, words = trouble): void {
    if (trouble !== '' && trouble !== told) screen.note(`${name}: ${words}`)
    told = trouble
  }

  return {
    isDue: (seen) => clock.now() >= notBefore && (seen !== clean || clock.now() >= lookAt),
    isClean: (seen) => seen !== undefined && seen === clean,
    ended(seen, { drift, problems, isWell }) {
      const now = clock.now()
      lookAt = now + flags.interval
      clean = isWell && drift === undefined ? seen : undefined
      failures = isWell ? 0 : failures + 1
      if (!isWell) {
        tell(problems.join('; '))
        notBefore = now + backoff(failures, clock.random())
        return
      }
      if (drift === undefined) return
      const repairs = repairsAfter({ persisted: { repairs: counts.get(drift) }, drift }, now)
      counts.set(drift, repairs)
      notBefore = repairAt({ repairs })
      const vain = byOthers.test(drift)
        ? undefined
        : vainRepairs({ persisted: { repairs }, drift }, now)
      if (vain === undefined) return tell(problems.join('; '))
      const pause = vainPause(vain.tries, clock.random())
      notBefore = Math.max(notBefore, now + pause)
      tell(drift, `${vain.reason}; it is repaired less and less often`)
    },
    next: () => Math.max(clean === undefined ? 0 : lookAt, notBefore),
  }
}
