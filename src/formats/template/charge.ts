/** What the result of a function costs: by its size, so that doubling a text ends. */
import type { Budget } from './budget.ts'
import { bytesText } from './byte-list.ts'
import { box, unbox, type Operand } from './values.ts'

export function charged(result: Operand, budget: Budget): Operand {
  const held = unbox(result)
  const made = typeof held === 'string' ? held : bytesText(held)
  if (made !== undefined) budget.text(made)
  else if (typeof held === 'object' && held?.kind === 'list') budget.spend(held.items.length >> 1)
  else if (typeof held === 'object' && held?.kind === 'dict') budget.spend(held.entries.size >> 1)
  return result === null ? box(null) : result
}
