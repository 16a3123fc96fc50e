/** The one error of an expression: what is wrong, and where in its text. */

export type Position = { readonly line: number; readonly column: number }

export class CelError extends Error {
  override readonly name = 'CelError'
  readonly position: Position
  /** The words without the place. */
  readonly reason: string

  constructor(reason: string, position: Position) {
    super(`${position.line}:${position.column}: ${reason}`)
    this.reason = reason
    this.position = position
  }
}

/** Thrown without a place; whoever runs the part of the text that it comes from adds it. */
export class Trouble extends Error {}

export function fail(reason: string): never {
  throw new Trouble(reason)
}
