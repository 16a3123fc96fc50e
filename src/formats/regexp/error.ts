/** The error of a pattern that Go's regexp package refuses, with Go's text. */

export class PatternError extends Error {
  override readonly name = 'PatternError'
}
