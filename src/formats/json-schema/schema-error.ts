/** A schema that can't be used, with the place in it. */

export class SchemaError extends Error {
  override readonly name = 'SchemaError'
  /** Keys and indexes that lead to the fault in the schema. */
  readonly path: readonly (string | number)[]

  constructor(message: string, path: readonly (string | number)[]) {
    super(message)
    this.path = path
  }
}
