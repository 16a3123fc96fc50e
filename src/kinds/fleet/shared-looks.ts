/** What was seen of a fleet a moment ago, for whoever looks next: providers are programs that take seconds to list, and nothing was done since. */
import { fleetTarget } from '#domains/fleet/domain.ts'
import { stateIn } from '#domains/fleet/live-state.ts'
import type { ClusterObservations } from '#domains/fleet/observe/clusters.ts'
import type { FleetContext } from '#domains/fleet/fleet-context.ts'
import type { Clock } from '#model/clock.ts'
import type { Target } from '#model/domain.ts'
import { hashOf, type Json } from '#model/json.ts'
import type { Observation, Resource } from '#model/resource.ts'

type Asked = Parameters<Target['observe']>[0]

/** `run`: the look that a run begins with. `list`: that of the monitor. `question`: whatever else wants to know what is there. */
type Reason = 'run' | 'list' | 'question'

export type SharedLooks = {
  /** Looks, unless what was seen a moment ago serves. `began`: when that was looked at, ms. */
  observe(
    fleet: FleetContext,
    asked: Asked,
    reason: Reason,
  ): Promise<{ readonly world: Observation; readonly began: number }>
  /** Something is done: nothing of what was seen counts any more. */
  forget(): void
}

type Look = {
  readonly about: string
  readonly began: number
  readonly ended: number
  readonly world: Observation
  readonly observations: ClusterObservations | undefined
}

/** What was seen longer ago serves nobody, ms. */
const moment = 30_000

/**
 * What a run saw and left as it was serves the one list that follows it. The other way round nothing is shared: a run looks for itself, since
 * another run may have changed what was seen before it had its lease. Who asks now gets what is there now.
 */
export function sharedLooks(clock: Clock): SharedLooks {
  let ofRun: Look | undefined

  function takeLook(about: string): Look | undefined {
    const look = ofRun
    ofRun = undefined
    return look?.about === about && clock.now() - look.ended < moment ? look : undefined
  }

  return {
    async observe(fleet, asked, reason) {
      const about = aboutOf(fleet, asked.wanted)
      const known = reason === 'list' ? takeLook(about) : undefined
      if (known?.observations !== undefined) fleet.memory.observations = known.observations
      if (known !== undefined) return known
      const began = clock.now()
      const world = await fleetTarget(fleet).observe(asked)
      const { observations } = fleet.memory
      const look = { about, began, ended: clock.now(), world, observations }
      if (reason === 'run') ofRun = look
      return look
    },
    forget: () => (ofRun = undefined),
  }
}

/** Rows, settings and options that a look goes by, and what it has to answer for. */
function aboutOf(
  { declared, settings, options }: FleetContext,
  wanted: readonly Resource[],
): string {
  const refs = wanted.map(({ ref, spec }) => `${ref} ${stateIn(spec)}`).toSorted()
  const { rows, notes } = declared
  const all: Json = JSON.parse(JSON.stringify([rows, [...notes], settings, options, refs]))
  return hashOf(all)
}
