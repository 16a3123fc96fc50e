/** The value that a literal stands for. */
import { int, uint } from './arithmetic.ts'
import { Trouble } from './error.ts'
import type { Literal } from './lex.ts'
import type { Constant } from './parse.ts'
import type { Value } from './values.ts'

export function valueOf(literal: Literal | Constant, tooLarge: () => never): Value {
  try {
    if (literal.type === 'int') return int(literal.value)
    return literal.type === 'uint' ? uint(literal.value) : literal.value
  } catch (error) {
    if (error instanceof Trouble) return tooLarge()
    throw error
  }
}
