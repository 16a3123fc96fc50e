/** The one error of a build: what is wrong, in which file and line, and what could do it instead. */

export type FileLine = { readonly file: string; readonly line: number }

/** What a build would need that this library does not have; a caller may hand such a build to someone else. */
export type Need = 'helm' | 'function' | 'remote'

export class KustomizeError extends Error {
  readonly file: string | undefined
  readonly line: number | undefined
  readonly needs: Need | undefined
  /** The words without the place. */
  readonly reason: string

  constructor(reason: string, place?: FileLine, needs?: Need) {
    super(place === undefined ? reason : `${place.file}:${place.line}: ${reason}`)
    this.name = 'KustomizeError'
    this.reason = reason
    this.file = place?.file
    this.line = place?.line
    this.needs = needs
  }
}

/** Gives an error from further down its place, unless it knows a nearer one. */
export function at<Result>(place: FileLine, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (error instanceof KustomizeError && error.file === undefined) {
      throw new KustomizeError(error.reason, place, error.needs)
    }
    throw error
  }
}

export function fail(reason: string): never {
  throw new KustomizeError(reason)
}
