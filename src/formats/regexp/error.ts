/** The error of a pattern that can't be read. */

export class PatternError extends Error {
  override readonly name = 'PatternError'
}

export function fail(reason: string): never {
  throw new PatternError(reason)
}
