/** Something that a Compose file asks of the host, with the place where it does. */
import type { Ask } from '#model/policy.ts'
import type { Place } from '#model/problem.ts'
import type { Path } from './stage.ts'

/** `path`: from the service, or from the file where nothing is said of a service. `at`: in another file. */
export type PlacedAsk = Ask & { readonly path: Path; readonly at?: Place }
