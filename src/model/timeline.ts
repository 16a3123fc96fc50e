/** What happened to applications and sources, as it is kept for the time-line. Rows are added and read, never changed. */
import type { TimelineEntry } from './api.ts'

/** Actions are in the audit log: they are not kept twice. */
export type KeptEntry = Omit<TimelineEntry, 'type'> & {
  readonly type: Exclude<TimelineEntry['type'], 'action'>
}

type TimelineQuery = {
  /** ms, both included. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly app?: string | undefined
  readonly limit: number
}

export type TimelineLog = {
  append(entry: KeptEntry): Promise<void>
  /** Newest first. */
  read(query: TimelineQuery): Promise<readonly KeptEntry[]>
  /** Removes what is older, ms, or more than so many rows. */
  forgetOld(before: number, rows: number): Promise<void>
}
