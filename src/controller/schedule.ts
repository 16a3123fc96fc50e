/** Who runs next: all are judged, those that are due take their turn, as many at once as allowed. */
import type { Window } from '#model/declaration.ts'
import type { Trigger } from '#model/event.ts'
import type { AppStatus } from '#model/service.ts'
import { remember, type Board } from './board.ts'
import { giveHelp } from './give-help.ts'
import { usualPace } from './help.ts'
import type { Judgement } from './judge.ts'
import { perform } from './perform.ts'
import { whyWaits } from './waiting.ts'
import { judged, statusOf, type Around, type Unit } from './unit.ts'

export type Schedule = {
  /** Judges everyone, starts what may start. Gives when to do so again if nothing happens before, ms. */
  turn(): number | undefined
  /** Judged anew, whether or not something happened. */
  statusOf(unit: Unit): AppStatus
  waiting(): number
  running(): number
  /** Resolves when nothing is under way any more. */
  ended(): Promise<void>
}

/** Lower goes first. */
const urgency: Readonly<Record<Trigger, number>> = {
  rollback: 0,
  manual: 0,
  reinit: 0,
  drift: 1,
  health: 1,
  webhook: 2,
  refresh: 3,
  'start-up': 4,
}

export function scheduleOf(board: Board, isReady: () => boolean): Schedule {
  const { parts } = board
  const { clock } = parts
  const underWay = new Set<Promise<void>>()
  let queued = 0

  function around(): Around {
    return {
      now: clock.now(),
      isEnabled: board.declarations.isEnabled,
      helpPace: parts.helpPace ?? usualPace,
      waitsFor,
      isOpen: (unit) => {
        const windows = windowsOf(unit)
        return windows.length === 0
          ? { isOpen: true, until: undefined }
          : parts.isOpen(windows, clock.now())
      },
    }
  }

  /** What is gone from a tree has those of the tree. */
  function windowsOf({ declared, memo }: Unit): readonly Window[] {
    const { discoveries } = board.declarations
    const policy = declared?.policy ?? discoveries.find(({ name }) => name === memo.from)?.policy
    return policy?.windows ?? []
  }

  function waitsFor({ declared, key: own }: Unit): readonly string[] {
    const others = declared?.policy.dependsOn ?? []
    return others.length === 0
      ? others
      : others
          .filter((key) => !(parts.stands?.(own, key) ?? isAsDeclared(board.units.get(key))))
          .map(whyWaits(board.units, own))
  }

  function turn(): number | undefined {
    const due: { readonly unit: Unit; readonly judgement: Judgement }[] = []
    const resting: Unit[] = []
    const next: Unit[] = []
    let until: number | undefined
    let isRendering = false
    const now = around()
    for (const unit of board.units.values()) {
      const judgement = judged(unit, now)
      if (judgement.until !== undefined) until = Math.min(judgement.until, until ?? Infinity)
      if (isUnclear(unit, judgement)) {
        isRendering = true
        // of one that is new nothing is told before it is known
        if (unit.status !== undefined) show(unit, judgement)
        continue
      }
      if (judgement.run !== undefined) due.push({ unit, judgement })
      else show(unit, judgement)
      if (judgement.help !== undefined && isReady() && !board.stop.aborted) {
        startHelp(unit, judgement.help)
      }
      const isAwaited = unit.asks.length + unit.idle.length > 0
      if (isAwaited && judgement.run === undefined && unit.underWay === undefined) {
        ;(judgement.isNext === true ? next : resting).push(unit)
      }
    }
    resting.forEach(rest)
    // whom they wait for may still come to an end
    if (due.length === 0 && underWay.size === 0 && !isRendering) next.forEach(rest)
    due.sort((a, b) => urgency[a.judgement.run!.trigger] - urgency[b.judgement.run!.trigger])
    const room = board.stop.aborted ? 0 : board.declarations.concurrency - underWay.size
    const started: typeof due = []
    for (const one of due) {
      if (started.length >= room) break
      if (one.unit.asks.length > 0 || mayBegin(one.unit)) started.push(one)
    }
    for (const { unit, judgement } of started) start(unit, judgement.run!)
    queued = due.length - started.length
    for (const { unit, judgement } of due) if (unit.underWay === undefined) show(unit, judgement)
    return until
  }

  /** Before all is seen only what somebody asked for is begun, and before all is read nobody who needs others. */
  function mayBegin({ declared }: Unit): boolean {
    const needsOthers = (declared?.policy.dependsOn ?? []).length > 0
    return isReady() && !(needsOthers && board.isAbsorbing())
  }

  function start(unit: Unit, { work, trigger }: NonNullable<Judgement['run']>): void {
    unit.underWay = work === 'removal' ? 'removal' : 'sync'
    unit.interruption = new AbortController()
    unit.isTouched = true
    // what was asked for up to now is answered by this run
    const asks = unit.asks.splice(0)
    show(unit, judged(unit, around()))
    const ask = asks.find(({ past }) => past !== undefined) ?? asks[0]
    const run = perform(board, unit, work, trigger, ask)
      .then((outcome) => {
        unit.underWay = undefined
        const status = fresh(unit)
        for (const asked of asks) asked.answer({ status, outcome })
      })
      .finally(() => {
        underWay.delete(run)
        board.wake()
      })
    underWay.add(run)
  }

  function startHelp(unit: Unit, what: NonNullable<Judgement['help']>): void {
    unit.underWay = 'help'
    const help = giveHelp(board, unit, what).finally(() => {
      unit.underWay = undefined
      unit.isTouched = true
      underWay.delete(help)
      board.wake()
    })
    underWay.add(help)
  }

  /** Nothing will happen for now: whoever waits is told. */
  function rest(unit: Unit): void {
    const status = fresh(unit)
    for (const ask of unit.asks.splice(0)) ask.answer({ status, outcome: undefined })
    for (const tell of unit.idle.splice(0)) tell(status)
  }

  /** Tells it to those who listen when it changed. */
  function show(unit: Unit, judgement: Judgement): AppStatus {
    const { status: before } = unit
    if (before !== undefined && !unit.isTouched && isSame(unit.judgement, judgement)) return before
    unit.isTouched = false
    unit.judgement = judgement
    const status = statusOf(unit, judgement, clock.now())
    if (before !== undefined && JSON.stringify(before) === JSON.stringify(status)) return before
    unit.status = status
    noteAnswers(unit, status)
    board.tell({ type: 'app', status })
    return status
  }

  /** Written at once only when it became well or unwell: whatever else is written of it takes them along. */
  function noteAnswers(unit: Unit, { sync, health }: AppStatus): void {
    const before = unit.memo.answers
    const isNew = before?.sync.state !== sync.state || before.health.state !== health.state
    if (!isNew) return
    const answers = {
      sync: { state: sync.state, since: sync.since },
      health: { state: health.state, since: health.since },
    }
    unit.memo = { ...unit.memo, answers }
    if (before !== undefined && before.health.state !== health.state) {
      void remember(board, unit, { answers })
    }
  }

  function fresh(unit: Unit): AppStatus {
    return show(unit, judged(unit, around()))
  }

  return {
    turn,
    statusOf: fresh,
    waiting: () => queued,
    running: () => underWay.size,
    async ended() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

function isSame(one: Judgement | undefined, other: Judgement): boolean {
  return (
    one !== undefined &&
    one.state === other.state &&
    one.reason === other.reason &&
    one.until === other.until &&
    one.needsAcknowledgement === other.needsAcknowledgement
  )
}

/** What its source wants is being rendered: until that is known, only what does not depend on it is done. */
function isUnclear({ refresh, isGone, underWay }: Unit, { run }: Judgement): boolean {
  if (refresh === undefined || isGone || underWay !== undefined) return false
  return run === undefined || run.work === 'desired'
}

function isAsDeclared(unit: Unit | undefined): boolean {
  if (unit?.refresh !== undefined) return false
  if (unit === undefined || unit.underWay !== undefined || unit.fault !== undefined) return false
  const { desired, synced, begun } = unit.memo
  return desired !== undefined && desired.hash === synced?.hash && begun === undefined
}
