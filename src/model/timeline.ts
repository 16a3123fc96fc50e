/** What happened to applications and sources, as it is kept for the time-line. Rows are added and read, never changed. */
import type { TimelineEntry } from './api.ts'

/** Actions are not among these entries: the audit log has them. */
export type KeptEntry = Omit<TimelineEntry, 'type'> & {
  readonly type: Exclude<TimelineEntry['type'], 'action'>
}

type TimelineQuery = {
  /** The time to read, ms; both ends are included. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly app?: string | undefined
  readonly limit: number
}

export type TimelineLog = {
  append(entry: KeptEntry): Promise<void>
  /** Gives the newest entries first. */
  read(query: TimelineQuery): Promise<readonly KeptEntry[]>
  /** Removes entries from before this time, ms, and the oldest ones beyond so many rows. */
  forgetOld(before: number, rows: number): Promise<void>
}
