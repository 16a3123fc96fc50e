/** How an application is, from what is known of its containers at this moment: rolled up by the one rule of the engine. */
import { healthIn, rolledUpHealth } from '#engine/assess.ts'
import { healthOfContainer, type ContainerHealth } from '#domains/containers/health.ts'
import type { Health } from '#model/assessment.ts'
import type { Look } from '#model/domain.ts'
import type { Ref } from '#model/ref.ts'
import type { ContainerRecords } from './container-records.ts'
import type { SeenContainer } from '#model/connection.ts'

export type ContainersHealth = {
  readonly health: Health
  readonly each: ReadonlyMap<Ref, ContainerHealth>
  /** Those that are there and not well. */
  readonly unwell: readonly SeenContainer[]
  readonly isLooping: boolean
  /** When the same facts mean something else, ms. */
  readonly until: number | undefined
}

/** `missing`: containers that are declared and not there. */
export function healthOfContainers(
  listed: readonly SeenContainer[],
  missing: readonly Ref[],
  book: ContainerRecords,
  now: number,
): ContainersHealth {
  const each = new Map<Ref, ContainerHealth>()
  const unwell: SeenContainer[] = []
  let until: number | undefined
  for (const one of listed) {
    const look = book.looked(one.id)?.look
    const listedNow = { ...one, endedAt: book.endedAt(one.id) }
    const health = withDetails(healthOfContainer(listedNow, book.ends(one.id), look, now), look)
    each.set(one.ref, health)
    book.judged(one.id, health.state, now)
    if (health.state === 'failed') unwell.push(one)
    if (health.until !== undefined) until = Math.min(health.until, until ?? Infinity)
  }
  for (const ref of missing) {
    if (!each.has(ref)) each.set(ref, { state: 'failed', message: 'it does not exist' })
  }
  const resources = [...each].map(([ref, look]) => ({ ref, health: healthIn(look) }))
  const isLooping = [...each.values()].some((one) => one.isLooping === true)
  return { health: rolledUpHealth(resources), each, unwell, isLooping, until }
}

/** What a look at it told beside: last lines, and the count of the engine itself, which knows more than was heard. */
function withDetails(health: ContainerHealth, look: Look | undefined): ContainerHealth {
  if (health.state !== 'failed' || look === undefined) return health
  const restartCount = Math.max(health.restartCount ?? 0, look.restartCount ?? 0)
  const details = look.details ?? health.details
  return { ...health, restartCount, ...(details === undefined ? {} : { details }) }
}
