/** `tend watch`: stays, and repairs what drifts from what was applied, from the engine's events. */
import { reconcile } from '#engine/reconcile.ts'
import { keyOf, ownerOf } from '#model/application.ts'
import type { Ports } from '#model/connection.ts'
import type { Event } from '#model/event.ts'
import type { Group } from '#model/plan.ts'
import { problemOf } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'
import type { ApplicationRecord } from '#model/store.ts'
import { sleepOrStop } from '#engine/sleep-or-stop.ts'
import type { Flags, Invocation } from '../arguments/invocation.ts'
import { reapplyRequest } from '../application/reapply.ts'
import { chosen } from '../chart/named.ts'
import { listenForChanges, type ChangeListener } from '../application/change-listener.ts'
import { engineIn } from '../application/engine.ts'
import type { CommandContext, Memory } from '../session.ts'
import { localTime } from '../views/view-options.ts'
import { mark } from '../views/paint.ts'
import { seconds, skipWords, thing } from '../views/words.ts'

/** Events of one repair come in a bunch. */
const settling = 100
const longestPause = 60_000

export async function watch(
  { words, flags }: Invocation,
  context: CommandContext,
): Promise<number> {
  const { session, screen, signal } = context
  const memory = await session.memory()
  const watched = new Map<string, Promise<void>>()
  await chosen(words, flags.namespace, memory.store)
  screen.note(`Watching ${words.length === 0 ? 'everything' : words.join(', ')}; Ctrl-C ends it.`)
  while (!signal.aborted) {
    for (const record of await chosen(words, flags.namespace, memory.store)) {
      const key = keyOf(record.application)
      if (watched.has(key)) continue
      const ended = guard(record, flags, context, memory).finally(() => watched.delete(key))
      watched.set(key, ended)
    }
    await sleepOrStop(session.clock, flags.interval, signal)
  }
  await Promise.all(watched.values())
  return 0
}

/** One application, until it is uninstalled or the watch ends. */
async function guard(
  record: ApplicationRecord,
  flags: Flags,
  context: CommandContext,
  memory: Memory,
): Promise<void> {
  const { session, signal } = context
  const { application } = record
  const reached = await session.reach(flags, application.kind, engineIn(record.source))
  const owner = ownerOf(session.instance, application)
  const ports = reached.ports(owner)
  const alarm = listenForChanges(ports.target, owner, signal)
  let pause = settling
  while (!signal.aborted) {
    await alarm.next(flags.interval)
    await rest(pause, context, alarm)
    if (signal.aborted) return
    const now = await memory.store.application(application)
    if (now === undefined || now.isUninstalled || hasMoved(record, now)) return alarm.close()
    const isWell = await repair(now, flags, context, memory, ports)
    pause = isWell ? settling : Math.min(longestPause, Math.max(1000, pause * 2))
  }
}

/** Then it is watched anew, where it is now. */
function hasMoved(one: ApplicationRecord, now: ApplicationRecord): boolean {
  return engineIn(one.source)?.address !== engineIn(now.source)?.address
}

/** What comes meanwhile belongs to the same repair. */
async function rest(
  pause: number,
  { session, signal }: CommandContext,
  alarm: ChangeListener,
): Promise<void> {
  await sleepOrStop(session.clock, pause, signal)
  alarm.clear()
}

/** Started, not waited for: a slow start must not hold up the next repair. */
async function repair(
  record: ApplicationRecord,
  flags: Flags,
  context: CommandContext,
  memory: Memory,
  { kind, target }: Ports,
): Promise<boolean> {
  const { session, screen, signal } = context
  const quick = { ...flags, waits: false, isAtomic: false }
  try {
    const request = await reapplyRequest(record, 'drift', quick, context, memory)
    if (request === undefined) return true
    const { store, leases } = memory
    const parts = { kind, target, clock: session.clock, store, leases }
    const groups = new Map<Ref, Group>()
    let isWell = true
    for await (const event of reconcile(request, parts, signal)) {
      if (event.type === 'planned')
        for (const group of event.plan.groups) groups.set(group.ref, group)
      if (event.type === 'ended') isWell = event.outcome !== 'failed'
      tell(event, groups, record, context)
    }
    return isWell
  } catch (thrown) {
    screen.note(`${record.application.name}: ${problemOf(thrown).message}`)
    return false
  }
}

function tell(
  event: Event,
  groups: ReadonlyMap<Ref, Group>,
  { application }: ApplicationRecord,
  { screen }: CommandContext,
): void {
  if (event.type === 'problem' && event.problem.code !== 'interrupted') {
    screen.note(`${application.name}: ${event.problem.message}`)
  }
  if (event.type !== 'group' || !['passed', 'failed', 'done'].includes(event.phase)) return
  if (event.phase === 'done' && event.step !== 'delete') return
  const cause = groups.get(event.ref)?.cause ?? ''
  const isWell = event.phase !== 'failed'
  const lasted = event.milliseconds === undefined ? '' : ` (${seconds(event.milliseconds)})`
  if (screen.format !== 'table') {
    const { ref: resource, step: action, milliseconds = null } = event
    const outcome = isWell ? 'repaired' : 'failed'
    const at = new Date(event.at).toISOString()
    const error = event.problem?.message ?? null
    const line = {
      at,
      [application.kind]: application.name,
      resource,
      action,
      outcome,
      cause,
      error,
      durationMs: milliseconds,
    }
    return screen.print([JSON.stringify(line)])
  }
  const words = isWell ? `repaired: ${cause}${lasted}` : `not repaired: ${skipWords(event.problem)}`
  const stamp = `[${localTime(event.at)}]`
  const sign = mark(isWell ? '✓' : '✗', screen.paint)
  screen.print([`${stamp} ${sign} ${application.name}: ${thing(event.ref)} ${words}`])
}
