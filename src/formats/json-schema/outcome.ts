/** What holding a value against a schema brings: faults, and what of the value a keyword has looked at. */

export type Fault = {
  /** Keys and indexes that lead to the value. */
  readonly path: readonly (string | number)[]
  readonly message: string
  /** The key that is at fault in the value at the path, where one is: unknown, or missing. */
  readonly key?: string
  readonly isMissing?: boolean
}

/** Properties and items that were looked at, for `unevaluatedProperties` and `unevaluatedItems`. */
export class Outcome {
  readonly faults: Fault[] = []
  readonly seen = new Set<string | number>()

  get isValid(): boolean {
    return this.faults.length === 0
  }

  /** Of what fits, what it looked at counts; of what does not, its faults. */
  take(other: Outcome): void {
    for (const fault of other.faults) this.faults.push(fault)
    if (other.isValid) this.see(other)
  }

  see(other: Outcome): void {
    for (const key of other.seen) this.seen.add(key)
  }
}
