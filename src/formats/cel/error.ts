/** The one error of an expression: what is wrong, and where in its text. */

export type Position = { readonly line: number; readonly column: number }

/** Reasons quote values, and those may be as long as they like. */
const longest = 500

export class CelError extends Error {
  override readonly name = 'CelError'
  readonly position: Position
  /** The words without the place. */
  readonly reason: string

  constructor(whole: string, position: Position) {
    const reason = whole.length > longest ? `${whole.slice(0, longest)}…` : whole
    super(`${position.line}:${position.column}: ${reason}`)
    this.reason = reason
    this.position = position
  }
}

/** This error ends the whole evaluation: no `||` or macro takes it for the answer of one part. */
export class OverBudget extends CelError {}

/** Thrown without a place; whoever runs the part of the text that it comes from adds it. */
export class Trouble extends Error {}

/** The same for what costs too much. */
export class OverBudgetTrouble extends Trouble {}

export function fail(reason: string): never {
  throw new Trouble(reason)
}
