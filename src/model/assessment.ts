/** The two answers to "how is it?": sync (does what runs equal what was declared) and health (does it work). */
import type { Change } from './plan.ts'
import type { Ref } from './ref.ts'

export type SyncState =
  | 'synced'
  /** It is there and differs from what was declared. */
  | 'drifted'
  | 'missing'
  /** A run is under way. */
  | 'syncing'
  | 'unknown'

export type HealthState =
  | 'healthy'
  /** It is not well yet, and there is still reason to wait. */
  | 'progressing'
  /** Some of it does not work. */
  | 'degraded'
  /** Nothing of it works. */
  | 'failed'
  | 'unknown'

export type Sync = {
  readonly state: SyncState
  /** A sentence; empty when it is synced. */
  readonly reason: string
  /** It differs only because its source has something newer: what runs is as it was applied. */
  readonly isBehind?: true
}

export type Health = {
  readonly state: HealthState
  /** Why the health is what it is, in a sentence. */
  readonly reason: string
  /** The last log or event lines, when it failed. */
  readonly details?: readonly string[]
  /** How often the engine started the container again, and the exit code of its last end. */
  readonly restartCount?: number | undefined
  readonly exitCode?: number | undefined
}

/** Since when the state is what it is, ms. */
export type Since = { readonly since: number }

export type ResourceAssessment = {
  readonly ref: Ref
  readonly sync: Sync & { readonly changes: readonly Change[] }
  /** Undefined: the resource has no health of its own. That it exists is all that can be said. */
  readonly health: Health | undefined
}

export type Assessment = {
  readonly sync: Sync
  readonly health: Health
  readonly resources: readonly ResourceAssessment[]
}

/** How sync is told in lists: what is behind is told apart from what was changed by hand. */
export type SyncShown = SyncState | 'behind'
