/** What kinds of entries there are, in the order of their lanes. */
import type { TimelineEntry } from '#model/api.ts'
import type { IconName } from '../../parts/icon.tsx'

export type EntryType = TimelineEntry['type']

export const entryLooks: Readonly<
  Record<EntryType, { readonly word: string; readonly icon: IconName }>
> = {
  commit: { word: 'Commits', icon: 'commit' },
  source: { word: 'Sources', icon: 'source' },
  action: { word: 'Pressed', icon: 'hand' },
  run: { word: 'Runs', icon: 'sync' },
  sync: { word: 'Drift', icon: 'drift' },
  health: { word: 'Health', icon: 'heart' },
  alert: { word: 'Alerts', icon: 'bell' },
}

export const entryTypes = [
  'commit',
  'source',
  'action',
  'run',
  'sync',
  'health',
  'alert',
] as const satisfies readonly EntryType[]

/** In the colours of the two answers: what is not as declared warns, what does not work is bad. */
export function toneOf({ type, tone }: TimelineEntry): 'good' | 'warn' | 'bad' | 'info' {
  if (type === 'sync' && tone === 'bad') return 'warn'
  return tone === 'neutral' ? 'info' : tone
}
