/** The engines that watched applications run on: one monitor for each, as the service has them. */
import { postAt, type TargetMonitor } from '#controller/monitor/target-monitor.ts'
import { kindNamed } from '#kinds/all.ts'
import type { Connection } from '#model/connection.ts'
import type { Log } from '#model/log.ts'
import type { ApplicationRecord } from '#model/store.ts'
import type { Flags } from '../arguments/invocation.ts'
import { engineIn } from '../application/engine.ts'
import type { CommandContext, Reached } from '../session.ts'
import { createBell, type Bell } from './bell.ts'

export type WatchedEngine = {
  readonly monitor: TargetMonitor
  readonly connection: Reached
  /** By owner: rung after each look, and whenever something may be otherwise. */
  readonly bells: Map<string, Bell>
  /** Owners of whom a repair is under way: what they do is no news. */
  readonly busy: Set<string>
}

export type WatchedEngines = {
  /** Undefined: applications of its kind are not looked after from here. */
  for(record: ApplicationRecord): Promise<WatchedEngine | undefined>
  bellFor(engine: WatchedEngine, owner: string): Bell
  /** Resolves when nobody listens any more, after the command was told to end. */
  ended(): Promise<void>
}

export function createEngines(flags: Flags, context: CommandContext): WatchedEngines {
  const { session, screen, signal } = context
  const engines = new Map<string, Promise<WatchedEngine | undefined>>()
  const listening: Promise<void>[] = []

  async function open({
    application: { kind: name },
    source,
  }: ApplicationRecord): Promise<WatchedEngine | undefined> {
    const kind = await kindNamed(name).load?.()
    if (kind === undefined) return undefined
    const connection = await session.reach(flags, name, engineIn(source))
    const place = connection.place ?? { address: '' }
    const whole: Connection = { ...connection, place }
    const bells: WatchedEngine['bells'] = new Map()
    const busy: WatchedEngine['busy'] = new Set()
    const ringAll = (): void => {
      for (const bell of bells.values()) bell.ring()
    }
    const { instance, clock } = session
    const there = { ...kind, find: () => place, connect: () => whole }
    const monitor = postAt(there, undefined, instance, clock, {
      interval: () => flags.interval,
      looked: async () => ringAll(),
      isBusy: (_, owner) => (owner === undefined ? busy.size > 0 : busy.has(owner)),
      changed: ringAll,
      called: () => undefined,
      log: outages((text) => screen.note(text)),
    })
    await monitor.look()
    listening.push(monitor.keep(signal))
    return { monitor, connection, bells, busy }
  }

  return {
    for(record) {
      const { kind } = record.application
      const key = `${kind} ${engineIn(record.source)?.address ?? ''}`
      const known = engines.get(key) ?? open(record)
      engines.set(key, known)
      return known
    },
    bellFor({ bells }, owner) {
      const bell = bells.get(owner) ?? createBell(session.clock)
      bells.set(owner, bell)
      return bell
    },
    async ended() {
      await Promise.all(listening)
    },
  }
}

/** The monitor tells once when its engine goes away, and once when it is back. */
function outages(note: (text: string) => void): Log {
  return (_, message, { engine = '', why } = {}) =>
    note(`${engine === '' ? '' : `${engine}: `}${message}${why === undefined ? '' : `: ${why}`}`)
}
