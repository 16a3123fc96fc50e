/** What all parts of the service share. */
import type { Declarations } from '#model/declaration.ts'
import type { Metrics, ServiceEvent } from '#model/service.ts'
import type { Memo, Memos } from './memo.ts'
import type { Parts } from './parts.ts'
import type { Post } from './post.ts'
import type { Recent } from './recent.ts'
import type { Unit } from './unit.ts'

export type Board = {
  readonly parts: Parts
  declarations: Declarations
  readonly units: Map<string, Unit>
  readonly memos: Memos
  readonly metrics: Metrics
  readonly stop: AbortSignal
  /** Renders that may be wanted soon. */
  readonly recent: Recent
  /** A snapshot is taken over: not everyone is known yet as it says. */
  isAbsorbing(): boolean
  postFor(kind: Unit['application']['kind'], target: string | undefined): Post | undefined
  /** Compares it with what runs. */
  check(unit: Unit): Promise<void>
  tell(event: ServiceEvent): void
  /** Something changed: what is due is looked for. */
  wake(): void
}

/** Durable when it resolves with nothing, else why not. A note that can't be written is no reason to stop: the next one may. */
export async function remember(
  board: Board,
  unit: Unit,
  news: Partial<Memo>,
): Promise<string | undefined> {
  unit.memo = { ...unit.memo, ...news }
  unit.isTouched = true
  try {
    await board.memos.keep(unit.key, unit.memo)
    return undefined
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown)
    board.parts.log('warning', 'could not be remembered', { app: unit.key, why })
    return why
  }
}

/** Nothing of it is remembered any more. */
export async function forget(board: Board, key: string): Promise<void> {
  board.units.delete(key)
  await board.memos.keep(key, undefined).catch(() => undefined)
  board.tell({ type: 'gone', key, at: board.parts.clock.now() })
}

/** Newcomers do not count among those that were there before: else a wrong repository would only seem to lose a part. */
export function hasRun({ memo, post, owner }: Unit): boolean {
  const { synced, lastRun } = memo
  return synced !== undefined || lastRun !== undefined || post?.sight()?.apps.has(owner) === true
}

/** Nothing was ever begun for it, and nothing of it is there: when it goes there is nothing left to tell of. */
export function isBlank({ memo, post, owner, underWay, asks, idle }: Unit): boolean {
  const { lastRun, synced, begun } = memo
  const ran = [lastRun, synced, begun, underWay].some((one) => one !== undefined)
  const sight = post?.sight()
  const isAwaited = asks.length + idle.length > 0
  return !ran && !isAwaited && sight !== undefined && !sight.apps.has(owner)
}
