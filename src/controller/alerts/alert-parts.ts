/** What alerts are made with. */
import type { Clock } from '#model/clock.ts'
import type { Declarations, SecretFrom } from '#model/declaration.ts'
import type { Notes } from '#model/store.ts'
import type { KeptEntry } from '#model/timeline.ts'

export type ReadSecret = (from: SecretFrom) => Promise<string>

export type AlertParts = {
  readonly instance: string
  /** As they are now: channels may change while the service runs. */
  readonly declared: () => Pick<Declarations, 'alerts' | 'commitStatus'>
  readonly notes: Notes
  readonly clock: Clock
  readonly readSecret: ReadSecret
  /** For the operator's log. */
  readonly warn: (text: string) => void
  /** Others look after the rest, and tell of it; absent: nobody does. */
  readonly isOurs?: (key: string) => boolean
  /** For the time-line: whom an alert was sent to, and who could not be told. */
  readonly record?: (entry: KeptEntry) => void
}
