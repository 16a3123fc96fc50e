/** One fleet that the service keeps: the same pass as `tend fleet reconcile --from-db`, at once and again and again. */
import { backoff, sentenceOf } from '#controller/backoff.ts'
import type { Log } from '#model/log.ts'
import { keyOf } from '#model/application.ts'
import type { FleetDeclared } from '#model/declaration.ts'
import type { Event, Trigger } from '#model/event.ts'
import type { Plan } from '#model/plan.ts'
import { factsOf, Problem, problemOf } from '#model/problem.ts'
import type { AppStatus, SyncAnswer } from '#model/service.ts'
import { parse } from '../arguments/parse.ts'
import type { Flags } from '../arguments/invocation.ts'
import { reconcileOnce } from '../commands/fleet/reconcile.ts'
import { applicationOf } from '../fleet/pass.ts'
import { databaseOf } from '../fleet/open.ts'
import { settingsFor } from '../fleet/settings.ts'
import type { Desk, Session } from '../session.ts'
import { plain } from '../views/paint.ts'
import { begun, cameOf, failed, type Came, withAnswers } from './fleet-status.ts'

export type Keeper = {
  readonly key: string
  readonly declared: FleetDeclared
  status(): AppStatus
  sync(trigger: Trigger): Promise<SyncAnswer>
  plan(signal: AbortSignal): Promise<Plan>
  suspend(isSuspended: boolean): AppStatus
  /** Until it is told to end. */
  keep(): Promise<void>
  end(): Promise<void>
}

export type KeeperParts = {
  readonly session: Session
  readonly log: Log
  readonly isSuspended: boolean
  told(status: AppStatus): void
  hear(event: Event): void
}

export function keeperOf(declared: FleetDeclared, parts: KeeperParts): Keeper {
  const { session, log } = parts
  const { clock } = session
  const hear = (event: Event): void => parts.hear(event)
  const ends = new AbortController()
  const key = keyOf({ kind: 'fleet', namespace: null, name: declared.name })
  let current: AppStatus = begun(declared, key, parts.isSuspended)
  let last: Promise<SyncAnswer> = Promise.resolve({ status: current, outcome: undefined })
  let ring: (() => void) | undefined
  let lastReason = ''

  function show(change: Partial<AppStatus>): AppStatus {
    current = withAnswers({ ...current, ...change }, current, clock.now())
    parts.told(current)
    return current
  }
  async function run(trigger: Trigger): Promise<SyncAnswer> {
    if (ends.signal.aborted) return { status: current, outcome: undefined }
    show({ state: 'syncing', reason: '', nextTry: undefined })
    let came: Came
    try {
      const flags = flagsOf(declared, false)
      came = cameOf(await reconcileOnce(flags, deskOf(ends.signal), hear, trigger))
    } catch (thrown) {
      came = { ...failed, problem: factsOf(problemOf(thrown)) }
    }
    return { status: show(afterwards(came, trigger)), outcome: came.outcome }
  }
  function afterwards(came: Came, trigger: Trigger): Partial<AppStatus> {
    const at = clock.now()
    const { outcome, problem, summary, version, state } = came
    const failures = outcome === 'succeeded' ? 0 : current.failures + 1
    const reason = problem === undefined ? '' : sentenceOf(problem)
    // the same trouble is told once, however often it is tried
    if (failures > 0 && reason !== lastReason) {
      log('error', 'the fleet is not as declared', { app: key, reason })
    }
    lastReason = failures > 0 ? reason : ''
    if (failures === 0) log('info', 'fleet reconciled', { app: key, ...summary })
    const wait = failures === 0 ? declared.interval : backoff(failures, Math.random())
    const lastRun = { number: undefined, trigger, outcome, isRolledBack: false, at }
    return {
      state: current.isSuspended ? 'suspended' : state,
      reason,
      failures,
      nextTry: current.isSuspended ? undefined : at + Math.min(wait, declared.interval),
      lastRun: { ...lastRun, problem, summary },
      containers: came.clusters,
      ...(version === undefined ? {} : { desired: version }),
      ...(version === undefined || failures > 0 ? {} : { synced: { ...version, at } }),
    }
  }
  function deskOf(signal: AbortSignal): Desk {
    const environment = { RECONCILE_SOURCE: 'serve', ...session.environment }
    const screen = {
      format: 'json',
      paint: plain,
      isTerminal: false,
      print: () => undefined,
      document: async () => undefined,
      note: (text: string) => log('info', text, { app: key }),
      live: undefined,
      ask: undefined,
    } as const
    return { session: { ...session, environment }, screen, signal }
  }
  function flagsOf(
    { database, config, recreates, timeout, name }: FleetDeclared,
    isDryRun: boolean,
  ): Flags {
    const words = ['fleet', 'reconcile', isDryRun ? '--dry-run' : '--from-db']
    if (database !== undefined) words.push('--db', database)
    if (config !== undefined) words.push('--config', config)
    if (recreates) words.push('--recreate')
    const asked = parse([...words, '--timeout', `${timeout}ms`])
    if (asked.kind !== 'invocation') throw new TypeError('no invocation')
    const { flags } = asked.invocation
    const settings = settingsFor(flags, databaseOf(flags, session))
    if (applicationOf(settings).name !== name) throw otherName(name, applicationOf(settings).name)
    return flags
  }
  function isDue(): boolean {
    return current.nextTry !== undefined && current.nextTry <= clock.now()
  }
  /** A clock that is set makes nothing wait longer than half a minute. */
  function longestSleep(): number {
    return Math.min(30_000, Math.max(0, (current.nextTry ?? Infinity) - clock.now()))
  }
  /** One after the other. */
  function sync(trigger: Trigger): Promise<SyncAnswer> {
    last = last.then(() => run(trigger))
    return last
  }

  return {
    key,
    declared,
    status: () => current,
    sync,
    async plan(signal) {
      const { story } = await reconcileOnce(flagsOf(declared, true), deskOf(signal))
      if (story.plan !== undefined) return story.plan
      throw new Problem(story.problems[0] ?? failed.problem)
    },
    suspend(isSuspended) {
      const state = isSuspended ? 'suspended' : current.failures > 0 ? 'failed' : 'missing'
      const status = show({ isSuspended, state, nextTry: undefined })
      ring?.()
      return status
    },
    async keep() {
      for (let trigger: Trigger = 'start-up'; !ends.signal.aborted; trigger = 'refresh') {
        if (!current.isSuspended) await sync(trigger)
        const woken = new AbortController()
        ring = () => woken.abort()
        const until = AbortSignal.any([woken.signal, ends.signal])
        while (!until.aborted && !isDue()) {
          await clock.sleep(longestSleep(), until).catch(() => undefined)
        }
      }
    },
    async end() {
      ends.abort()
      await last.catch(() => undefined)
    },
  }
}

function otherName(declared: string, own: string): Problem {
  return new Problem({
    type: 'configuration',
    code: 'declaration_error',
    message: `the fleet is declared as ${declared}, and its fleet.yaml calls it ${own}`,
    suggestion: `write fleet: ${own}, or name: ${declared} in fleet.yaml`,
  })
}
