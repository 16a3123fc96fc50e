/** How a run is to be shown: everything that the events themselves do not say. */
import type { Paint } from './paint.ts'

export type ViewOptions = {
  /** "Installing chart", as the first line begins. */
  readonly doing: string
  /** What the user named it by: a path, or a name. */
  readonly subject: string
  readonly isVerbose: boolean
  /** The address of the engine, where one is known. */
  readonly engine?: string | undefined
  /** Tells of each step why: what `plan` is for. */
  readonly explains: boolean
  readonly paint: Paint
  /** The last run that went well before this one: what a failed one goes back to. */
  readonly before: number | undefined
  /** The last line of a dry run that found something. */
  readonly apply: string
  /** Time of day, `12:34:56`. */
  time(at: number): string
}

export function localTime(at: number): string {
  return new Date(at).toTimeString().slice(0, 8)
}
