/** What a state looks like: a tone, a mark that differs without colour, and its word. */
import type { HealthState, SyncShown } from '#model/assessment.ts'
import type { Outcome } from '#model/event.ts'

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'quiet'

export type Look<Icon extends string = string> = {
  readonly tone: Tone
  readonly icon: Icon
  readonly word: string
}

export const syncStates = ['synced', 'drifted', 'behind', 'missing', 'syncing', 'unknown'] as const
export const healthStates = ['healthy', 'progressing', 'degraded', 'failed', 'unknown'] as const

export const syncLooks = {
  synced: { tone: 'good', icon: 'check', word: 'Synced' },
  drifted: { tone: 'warn', icon: 'drift', word: 'Drifted' },
  /** What runs is as it was applied, and its source has something newer. */
  behind: { tone: 'warn', icon: 'up', word: 'Behind' },
  missing: { tone: 'warn', icon: 'missing', word: 'Missing' },
  syncing: { tone: 'info', icon: 'sync', word: 'Syncing' },
  unknown: { tone: 'quiet', icon: 'question', word: 'Unknown' },
} as const satisfies Record<SyncShown, Look>

export const healthLooks = {
  healthy: { tone: 'good', icon: 'ring', word: 'Healthy' },
  progressing: { tone: 'info', icon: 'spinner', word: 'Progressing' },
  degraded: { tone: 'warn', icon: 'warning', word: 'Degraded' },
  failed: { tone: 'bad', icon: 'fail', word: 'Failed' },
  unknown: { tone: 'quiet', icon: 'question', word: 'Unknown' },
} as const satisfies Record<HealthState, Look>

export const outcomeLooks = {
  succeeded: { tone: 'good', icon: 'check', word: 'Succeeded' },
  failed: { tone: 'bad', icon: 'fail', word: 'Failed' },
  interrupted: { tone: 'warn', icon: 'warning', word: 'Interrupted' },
  refused: { tone: 'warn', icon: 'lock', word: 'Refused' },
} as const satisfies Record<Outcome, Look>
