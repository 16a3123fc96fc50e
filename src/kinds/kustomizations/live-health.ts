/** The health of a kustomization at this moment, from what watches show of its objects. What is not well is looked at more closely, pods included. */
import { subjectOf } from '#domains/kustomizations/expand/expand.ts'
import { nameOfObject } from '#domains/kustomizations/object.ts'
import { isWaitedFor, type ApplyOptions } from '#domains/kustomizations/apply-options.ts'
import type { SeenLook } from '#domains/kustomizations/observe/cluster-cache.ts'
import { healthIn, rolledUpHealth } from '#engine/assess.ts'
import type { Health } from '#model/assessment.ts'
import type { Clock } from '#model/clock.ts'
import type { Ports } from '#model/connection.ts'
import type { Look } from '#model/domain.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Ref } from '#model/ref.ts'

export type LiveHealth = {
  readonly health: Health
  /** When the same objects may mean another health, ms; undefined: their events show every change. */
  readonly againIn: number | undefined
}

/** An object that is not ready for longer than this, ms, though nothing is being applied, does not work. */
const patience = 60_000
const again = 10_000
/** A pod may be gone and replaced before anybody looks. Its loss is shown for this long, ms. */
const shownFor = 1_000
/** At most so many objects that are not well are looked at: the first few are enough to tell. */
const mostLooks = 10

/** `ports` look at one object, with the rights of the kustomization. */
export function liveHealth(clock: Clock) {
  /** Since when objects are not well, ms, by owner. */
  const since = new Map<string, ReadonlyMap<Ref, number>>()

  return async function healthOfSet(
    owner: string,
    looks: readonly SeenLook[],
    options: ApplyOptions,
    ports: () => Ports,
    signal: AbortSignal,
  ): Promise<LiveHealth | undefined> {
    const asked = looks.filter(({ object }) => isWaitedFor(options, object, nameOfObject(object)))
    if (asked.length === 0) return undefined
    const unwell = asked.filter(({ look }) => look.state !== 'ok')
    const before = since.get(owner)
    const now = clock.now()
    const begun = new Map(unwell.map(({ ref }) => [ref, before?.get(ref) ?? now]))
    if (begun.size === 0) since.delete(owner)
    else since.set(owner, begun)
    const closer = new Map(
      await Promise.all(
        unwell.slice(0, mostLooks).map(async ({ ref, object, look }) => {
          const subject = subjectOf(nameOfObject(object))
          // what the object itself says counts where nothing more is to be had
          const found = await lookCloser(ref, subject, signal).catch(() => look)
          return [ref, lasting(found, now - (begun.get(ref) ?? now))] as const
        }),
      ),
    )
    const over = asked.filter((one) => hasLapsed(one, now)).slice(0, mostLooks)
    const lapsed = new Map(
      await Promise.all(
        over.map(async ({ ref, object, look, lapse }) => {
          const subject = { ...subjectOf(nameOfObject(object)), hasLapsed: true }
          // how its containers ended is worth knowing, and no reason to say nothing
          const found = await lookCloser(ref, subject, signal).catch(() => look)
          return [ref, lapseIn(found, lapse)] as const
        }),
      ),
    )
    const health = rolledUpHealth(
      asked.map(({ ref, look }) => {
        return { ref, health: healthIn(closer.get(ref) ?? lapsed.get(ref) ?? look) }
      }),
    )
    const againIn = begun.size === 0 && lapsed.size > 0 ? shownFor : again
    return { health, againIn: health.state === 'healthy' ? undefined : againIn }

    async function lookCloser(ref: Ref, subject: JsonRecord, stop: AbortSignal): Promise<Look> {
      return ports().target.look(ref, subject, 'healthy', stop)
    }
  }
}

/** The object is well again, but so lately that nobody was told of its failure. */
function hasLapsed({ look, lapse }: SeenLook, now: number): boolean {
  return look.state === 'ok' && lapse !== undefined && now - lapse.at < shownFor
}

function lapseIn({ restartCount, exitCode, message }: Look, lapse: SeenLook['lapse']): Look {
  const about = restartCount === undefined ? {} : { restartCount, exitCode }
  const ended = restartCount === undefined ? '' : ` (${message})`
  const text = `it was not ready a moment ago: ${lapse?.look.message ?? ''}${ended}`
  return { state: 'waiting', message: text, ...about }
}

function lasting(look: Look, lasted: number): Look {
  if (look.state !== 'waiting' || lasted < patience) return look
  return { ...look, state: 'failed', message: `${look.message}, for more than a minute` }
}
