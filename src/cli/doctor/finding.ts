/** One thing that `tend doctor` looked at. */
export type Finding = {
  readonly name: string
  /** `missing` is fine where nobody needs it; `broken` is there and does not work. */
  readonly state: 'ok' | 'missing' | 'broken'
  readonly found: string
  /** What can't be done because of it. */
  readonly costs?: string
  /** The line that mends it. */
  readonly mend?: string
}
