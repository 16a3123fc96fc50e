/** How an application is, from what is known of its containers at this moment: rolled up by the one rule of the engine. */
import { healthIn, rolledUpHealth } from '#engine/assess.ts'
import { healthOfContainer, type ContainerHealth } from '#domains/containers/health.ts'
import { isUnstarted } from '#domains/containers/look.ts'
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

/**
 * `missing`: containers that are declared and not there. `failure`: why the last run failed, where that is why something is not
 * there or was not started.
 */
export function healthOfContainers(
  listed: readonly SeenContainer[],
  missing: readonly Ref[],
  book: ContainerRecords,
  now: number,
  failure?: string,
): ContainersHealth {
  const each = new Map<Ref, ContainerHealth>()
  const unwell: SeenContainer[] = []
  let until: number | undefined
  for (const one of listed) {
    const look = book.looked(one.id)?.look
    const known = healthOfContainer(book.dated(one), book.ends(one.id), look, now)
    const health = withDetails(isUnstarted(one.state) ? unstarted(known, failure) : known, look)
    each.set(one.ref, health)
    book.judged(one.id, health.state, now)
    if (health.state === 'failed') unwell.push(one)
    if (health.until !== undefined) until = Math.min(health.until, until ?? Infinity)
  }
  for (const ref of missing) {
    if (!each.has(ref)) each.set(ref, { state: 'failed', message: because(absent, failure) })
  }
  const resources = [...each].map(([ref, look]) => ({ ref, health: healthIn(look) }))
  const isLooping = [...each.values()].some((one) => one.isLooping === true)
  return { health: rolledUpHealth(resources), each, unwell, isLooping, until }
}

const absent = 'it does not exist'

/** A run that failed starts nothing more: there is nothing to wait for. */
function unstarted(health: ContainerHealth, failure: string | undefined): ContainerHealth {
  if (failure === undefined || health.state !== 'waiting') return health
  const { until: _, ...rest } = health
  return { ...rest, state: 'failed', message: because('it was not started', failure) }
}

function because(what: string, failure: string | undefined): string {
  return failure === undefined ? what : `${what}: ${failure}`
}

/** What a look at it told beside: last lines, and the count of the engine itself, which knows more than was heard. */
function withDetails(health: ContainerHealth, look: Look | undefined): ContainerHealth {
  if (health.state !== 'failed' || look === undefined) return health
  const restartCount = Math.max(health.restartCount ?? 0, look.restartCount ?? 0)
  const details = look.details ?? health.details
  return { ...health, restartCount, ...(details === undefined ? {} : { details }) }
}
