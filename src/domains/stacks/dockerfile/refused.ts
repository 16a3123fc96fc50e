/** What of a Dockerfile is not understood: engines may read it differently, so that nobody could tell what was judged. */
export class NotUnderstood extends Error {
  /** From 1. */
  readonly line: number
  /** In words that complete "… is denied". */
  readonly what: string
  /** What its author can do about it. */
  readonly instead: string

  constructor(line: number, what: string, instead: string) {
    super(`line ${line}: ${what}`)
    this.line = line
    this.what = what
    this.instead = instead
  }
}
