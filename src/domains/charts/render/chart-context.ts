/** What the making of one spec may ask of the rest of the chart. */
import type { Sealed } from '#model/value.ts'
import type { ChartSecrets } from './chart-secrets.ts'
import type { Declarations } from './declaration.ts'
import type { Membership } from './pod-members.ts'

export type ChartContext = {
  readonly declared: Declarations
  /** Every file could be read: what is not declared is not there. */
  readonly isWhole: boolean
  /** Pods by the names of their members. */
  readonly memberships: ReadonlyMap<string, Membership>
  /** How often each volume is mounted. */
  readonly mountCounts: ReadonlyMap<string, number>
  /** A file inside the chart. Throws a problem for a path that leaves it. */
  readFile(path: string): Uint8Array | undefined
  readonly environment: Readonly<Record<string, string>>
  seal(id: string, content: Uint8Array | string): Sealed
  /** Whether a text has a secret in it, or a variable is one. */
  readonly secrets: ChartSecrets
  warn(text: string): void
}
