/** What a fleet needs to know of the process that looks after it. */
import type { Clock } from '#model/clock.ts'

export type FleetAround = {
  readonly clock: Clock
  /** Programs are started with it, and secrets that fleet.yaml names by variable are read from it. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Tend's own folder. */
  readonly home: string
  /** The name under which this Tend signs what it makes. */
  readonly instance: string
}
