/** `tend rollback`: applies again what an earlier run applied. */
import { rollBack } from '../application/roll-back.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { recordFor } from '../chart/named.ts'
import type { Desk } from '../session.ts'

export async function rollback(invocation: Invocation, desk: Desk): Promise<number> {
  const { words, flags } = invocation
  const { serviceRollback } = await import('#cli/service/service-rollback.ts')
  const told = await serviceRollback(invocation, desk)
  if (told !== undefined) return told
  const [word = '', number] = words
  const memory = await desk.session.memory()
  const record = await recordFor(word, flags.namespace, memory.store)
  return rollBack(record, number, flags, desk, memory)
}
