/** Looks at single containers: where the engine's lists do not tell what their checks say, and at those that are not well, for the reason. */
import { healthOfContainer } from '#domains/containers/health.ts'
import { isUnstarted } from '#domains/containers/look.ts'
import type { Clock } from '#model/clock.ts'
import type { Look } from '#model/domain.ts'
import { problemOf } from '#model/problem.ts'
import type { ContainerRecords } from './container-records.ts'
import type { Connection, Listing, SeenContainer } from '#model/connection.ts'
import { fairQueue } from '../fair-queue.ts'
import { sleepOrStop } from '#engine/sleep-or-stop.ts'

type Watched = {
  readonly records: ContainerRecords
  listing(): Listing | undefined
  connection(): Connection
  /** What the application of this owner comes from. */
  sourceOf(owner: string): string
}

const pause = 500
const patience = 30_000
const atOnce = 8
/** Of one application: its checks may hang, and those of others are to be run meanwhile. */
const atOnceOfOne = 2
/** One that took so long is taken for one that hangs, ms. */
const slowFrom = 5_000
/** How often the reason of what stays unwell is asked for again, ms, and the least time between two such looks. */
const [reasonEvery, reasonAtMost] = [60_000, 5_000]
const lastLines = 15
const longestLine = 300

type Check = { readonly source: string; readonly owner: string; readonly one: SeenContainer }

/** Until it is told to stop. `changed` hears when something is otherwise than before. Sources take turns. */
export async function keepChecking(
  watched: Watched,
  clock: Clock,
  changed: () => void,
  stop: AbortSignal,
): Promise<void> {
  const queue = fairQueue<Check>(atOnce)
  /** Containers that are looked at or wait for it, by owner. */
  const pending = new Map<string, Set<string>>()
  const underWay = new Set<Promise<void>>()

  function begin(): void {
    for (const check of dueIn(watched, pending, clock.now())) queue.add(check)
    for (let check = queue.next(); check !== undefined; check = queue.next()) {
      const going = carryOut(check).finally(() => underWay.delete(going))
      underWay.add(going)
    }
  }

  async function carryOut(check: Check): Promise<void> {
    const began = performance.now()
    const isNews = await checked(watched, check.one, clock, stop)
    queue.done(check, performance.now() - began > slowFrom)
    const own = pending.get(check.owner)
    own?.delete(check.one.id)
    if (own?.size === 0) pending.delete(check.owner)
    if (isNews) changed()
    if (!stop.aborted) begin()
  }

  while (!stop.aborted) {
    begin()
    await sleepOrStop(clock, pause, stop)
  }
  await Promise.all(underWay)
}

/** Whatever was last known of them: for who has to say why they are not well. What takes too long is left out. */
export async function lookNow(
  watched: Omit<Watched, 'sourceOf'>,
  containers: readonly SeenContainer[],
  clock: Clock,
  stop: AbortSignal,
): Promise<void> {
  const limit = AbortSignal.any([stop, AbortSignal.timeout(patience)])
  for (let from = 0; from < containers.length && !limit.aborted; from += atOnce) {
    const some = containers.slice(from, from + atOnce)
    await Promise.all(some.map((one) => checked(watched, one, clock, limit)))
  }
}

/** They are pending from now on. */
function dueIn(watched: Watched, pending: Map<string, Set<string>>, now: number): readonly Check[] {
  const due: Check[] = []
  for (const [owner, { listed = [] }] of watched.listing()?.apps ?? []) {
    // twice a second for every container that there is: most of them never are
    if (!listed.some((one) => dueAt(watched.records, one, now) <= now)) continue
    const own = pending.get(owner) ?? new Set()
    if (own.size >= atOnceOfOne) continue
    const waiting = listed
      .map((one) => ({ one, at: dueAt(watched.records, one, now) }))
      .filter(({ one, at }) => at <= now && !own.has(one.id))
      .toSorted((left, right) => left.at - right.at)
    for (const { one } of waiting.slice(0, atOnceOfOne - own.size)) {
      due.push({ source: watched.sourceOf(owner), owner, one })
      own.add(one.id)
    }
    pending.set(owner, own)
  }
  return due
}

/** 0: it was never looked at. */
function dueAt(book: ContainerRecords, one: SeenContainer, now: number): number {
  const looked = book.looked(one.id)
  const { checkEvery, health, state } = one
  if (checkEvery !== undefined && health === undefined && state === 'running') {
    if (looked === undefined) return 0
    const { state: said, againIn = checkEvery } = looked.look
    return looked.at + (said === 'waiting' ? Math.min(againIn, checkEvery) : checkEvery)
  }
  const ends = book.ends(one.id)
  // what runs and never ended is well, unless its check says otherwise
  if (state === 'running' && ends.length === 0 && health !== 'unhealthy') return Infinity
  const listed = book.dated(one)
  const { state: is } = healthOfContainer(listed, ends, looked?.look, now)
  // only the engine knows why it does not start what was made
  if (is !== 'failed' && !isUnstarted(state)) return Infinity
  if (looked === undefined) return 0
  const isOlder = looked.at < (ends.at(-1)?.at ?? 0)
  return looked.at + (isOlder || looked.look.state !== 'failed' ? reasonAtMost : reasonEvery)
}

/** Whether something is otherwise than before. A look that fails says nothing. */
async function checked(
  watched: Omit<Watched, 'sourceOf'>,
  one: SeenContainer,
  clock: Clock,
  stop: AbortSignal,
): Promise<boolean> {
  const { records: book } = watched
  const before = book.looked(one.id)?.look
  const signal = AbortSignal.any([stop, AbortSignal.timeout(patience)])
  let look: Look
  try {
    const connection = watched.connection()
    const { kind, target } = connection.ports('')
    const gate = kind.healthGate?.(one.ref) ?? 'started'
    look = await target.look(one.ref, one.subject, gate, signal)
    const isLooked = look.state !== 'failed' || look.details !== undefined
    if (!isLooked || book.ends(one.id).length > 0) {
      look = { ...look, details: await linesOf(connection, one.name, signal) }
    }
  } catch (thrown) {
    if (stop.aborted) return false
    look = before ?? { state: 'waiting', message: problemOf(thrown).message }
  }
  book.keepLook(one.id, look, clock.now())
  return JSON.stringify(before) !== JSON.stringify(look)
}

async function linesOf(
  connection: Connection,
  name: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const lines: string[] = []
  const written = connection.logs?.(name, { tail: lastLines, follows: false }, signal) ?? []
  for await (const line of written) {
    lines.push(line.trimEnd().slice(0, longestLine))
  }
  return lines.slice(-lastLines)
}
