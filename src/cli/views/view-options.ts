/** How a run is to be shown: everything that the events themselves do not say. */
import type { Paint } from './paint.ts'

export type ViewOptions = {
  /** The beginning of the first line: "Installing chart". */
  readonly doing: string
  /** The path or name that the user typed. */
  readonly subject: string
  readonly isVerbose: boolean
  /** The address of the engine, where one is known. */
  readonly engine?: string | undefined
  /** Whether the reason of each step is shown, as `plan` does. */
  readonly explains: boolean
  readonly paint: Paint
  /** The last good run before this one, which a failed run goes back to. */
  readonly before: number | undefined
  /** The last line of a dry run that found something. */
  readonly apply: string
  /** Time of day, `12:34:56`. */
  time(at: number): string
}

export function localTime(at: number): string {
  return new Date(at).toTimeString().slice(0, 8)
}
