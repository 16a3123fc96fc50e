/** Looks at single containers: where the engine's lists do not tell what their checks say, and at those that are not well, for the reason. */
import { healthOfContainer } from '#domains/containers/health.ts'
import { isUnstarted } from '#domains/containers/look.ts'
import type { Clock } from '#model/clock.ts'
import type { Look } from '#model/domain.ts'
import { problemOf } from '#model/problem.ts'
import type { ContainerRecords } from './container-records.ts'
import type { Connection, Listing, SeenContainer } from '#model/connection.ts'
import { sleepOrStop } from '#engine/sleep-or-stop.ts'

type Watched = {
  readonly records: ContainerRecords
  listing(): Listing | undefined
  connection(): Connection
}

const pause = 500
const patience = 30_000
const atOnce = 8
/** How often the reason of what stays unwell is asked for again, ms, and the least time between two such looks. */
const [reasonEvery, reasonAtMost] = [60_000, 5_000]
const lastLines = 15
const longestLine = 300

/** Until it is told to stop. `changed` hears when something is otherwise than before. */
export async function keepChecking(
  watched: Watched,
  clock: Clock,
  changed: () => void,
  stop: AbortSignal,
): Promise<void> {
  while (!stop.aborted) {
    const due = dueIn(watched, clock.now())
    for (let from = 0; from < due.length && !stop.aborted; from += atOnce) {
      const some = due.slice(from, from + atOnce)
      const news = await Promise.all(some.map((one) => checked(watched, one, clock, stop)))
      if (news.includes(true)) changed()
    }
    await sleepOrStop(clock, pause, stop)
  }
}

/** Whatever was last known of them: for who has to say why they are not well. */
export async function lookNow(
  watched: Watched,
  containers: readonly SeenContainer[],
  clock: Clock,
  stop: AbortSignal,
): Promise<void> {
  await Promise.all(containers.map((one) => checked(watched, one, clock, stop)))
}

function dueIn(watched: Watched, now: number): readonly SeenContainer[] {
  const due: SeenContainer[] = []
  for (const { listed } of watched.listing()?.apps.values() ?? []) {
    for (const one of listed ?? []) if (dueAt(watched.records, one, now) <= now) due.push(one)
  }
  return due
}

function dueAt(book: ContainerRecords, one: SeenContainer, now: number): number {
  const looked = book.looked(one.id)
  const { checkEvery, health, state } = one
  if (checkEvery !== undefined && health === undefined && state === 'running') {
    if (looked === undefined) return now
    const { state: said, againIn = checkEvery } = looked.look
    return looked.at + (said === 'waiting' ? Math.min(againIn, checkEvery) : checkEvery)
  }
  const ends = book.ends(one.id)
  const listed = book.dated(one)
  const { state: is } = healthOfContainer(listed, ends, looked?.look, now)
  // only the engine knows why it does not start what was made
  if (is !== 'failed' && !isUnstarted(state)) return Infinity
  if (looked === undefined) return now
  const isOlder = looked.at < (ends.at(-1)?.at ?? 0)
  return looked.at + (isOlder || looked.look.state !== 'failed' ? reasonAtMost : reasonEvery)
}

/** Whether something is otherwise than before. A look that fails says nothing. */
async function checked(
  watched: Watched,
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
