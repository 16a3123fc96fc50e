/** What a fleet needs to know of the process that looks after it. */
import type { Clock } from '#model/clock.ts'

export type FleetAround = {
  readonly clock: Clock
  /** The environment for the programs that are started. Secrets that fleet.yaml names by variable are read from it. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Tend's own folder. */
  readonly home: string
  /** The name under which this Tend signs what it makes. */
  readonly instance: string
}
