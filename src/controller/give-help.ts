/** Does what was decided for an application that is not well. */
import type { Health } from '#model/assessment.ts'
import { problemOf } from '#model/problem.ts'
import { livingRuns, pastOf, runBefore, type Past } from '#store/past.ts'
import { healthOfContainers } from './app-health.ts'
import { remember, type Board } from './board.ts'
import { lookNow } from './health-checks.ts'
import type { Help } from './help.ts'
import type { Memo } from './memo.ts'
import type { Unit } from './unit.ts'

/** Never throws: what can't be done is in the log, and counts as done. */
export async function giveHelp(
  board: Board,
  unit: Unit,
  what: NonNullable<Help['what']>,
): Promise<void> {
  const { kind } = unit.application
  if (what === 'well again') {
    await remember(board, unit, { help: undefined })
    return
  }
  if (what === 'give up') return giveUp(board, unit)
  if (what === 'restart') {
    board.metrics.count('tend_help_total', { kind, what })
    return restart(board, unit)
  }
  await goBack(board, unit)
}

function helpBefore({ memo }: Unit): NonNullable<Memo['help']> {
  const hash = memo.synced?.hash ?? ''
  const { help } = memo
  return help?.hash === hash ? help : { hash, count: 0, at: 0 }
}

async function giveUp(board: Board, unit: Unit): Promise<void> {
  const { log, clock } = board.parts
  const { reason = '' } = (await healthWithReasons(board, unit)) ?? {}
  log('error', 'it is not well, and nothing more is tried', { app: unit.key, reason })
  await remember(board, unit, {
    help: { ...helpBefore(unit), at: clock.now(), isOver: true },
  })
}

/** Whoever is told is told why, with the last lines. */
async function healthWithReasons(board: Board, unit: Unit): Promise<Health | undefined> {
  const { post, health, seen, missing } = unit
  if (post === undefined || health === undefined) return undefined
  const { clock } = board.parts
  await lookNow(post, health.unwell, clock, board.stop)
  unit.health = healthOfContainers(seen?.listed ?? [], missing, post.book, clock.now())
  return unit.health.health
}

const patience = 12 * 60_000

/** Counted before: one that is killed meanwhile does not restart it for ever. */
async function restart(board: Board, unit: Unit): Promise<void> {
  const { log, clock } = board.parts
  const { post, health } = unit
  const before = helpBefore(unit)
  const help = { ...before, count: before.count + 1, at: clock.now() }
  await remember(board, unit, { help })
  const signal = AbortSignal.any([board.stop, AbortSignal.timeout(patience)])
  await Promise.all(
    (health?.unwell ?? []).map(async ({ name, id, ref }) => {
      const why = health?.each.get(ref)?.message ?? ''
      log('warning', 'a container is restarted', { app: unit.key, container: name, why })
      try {
        await post?.connection().restart?.(name, signal)
      } catch (thrown) {
        const { message } = problemOf(thrown)
        log('error', 'a container could not be restarted', { app: unit.key, why: message })
      }
      post?.book.forgetLook(id)
    }),
  )
  await remember(board, unit, { help: { ...help, at: clock.now() } })
  await post?.look()
}

/** The run itself is begun by the next turn, as one that was asked for. */
async function goBack(board: Board, unit: Unit): Promise<void> {
  const { log, clock } = board.parts
  const { memo, post, owner } = unit
  const past = await earlier(board, unit)
  const now = clock.now()
  if (past === undefined) return giveUp(board, unit)
  const { reason: why = '', details } = (await healthWithReasons(board, unit)) ?? {}
  board.metrics.count('tend_help_total', { kind: unit.application.kind, what: 'rollback' })
  log('error', 'it is not well, and goes back to what ran before', {
    app: unit.key,
    run: past.run.number,
    why,
  })
  await remember(board, unit, {
    help: { ...helpBefore(unit), at: now, isOver: true },
    failure: {
      hash: memo.desired?.hash ?? '',
      tries: 1,
      at: now,
      reason: `went back to run ${past.run.number}, since it was not well: ${why}`,
      code: 'unhealthy',
      ...(details === undefined ? {} : { details: [...details] }),
      isRolledBack: true,
      isPassing: false,
      nextTry: now,
      epoch: post?.epoch(owner, 'unhealthy') ?? 0,
    },
  })
  unit.asks.push({ trigger: 'health', past, answer: () => undefined })
}

async function earlier(board: Board, unit: Unit): Promise<Past | undefined> {
  const { store, log } = board.parts
  try {
    const run = runBefore(await livingRuns(unit.application, store))
    return run && (await pastOf(unit.application, run, store))
  } catch (thrown) {
    const { message: why } = problemOf(thrown)
    log('warning', 'what ran before could not be read', { app: unit.key, why })
    return undefined
  }
}
