/** `tend rollback`: applies again what an earlier run applied. */
import { rollBack } from '../application/roll-back.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { kustomizationIn } from '../arguments/object-names.ts'
import { recordFor } from '../chart/named.ts'
import type { CommandContext } from '../session.ts'

export async function rollback(invocation: Invocation, context: CommandContext): Promise<number> {
  const { words, flags } = invocation
  const [word = '', number] = words
  const { serviceRollback } = await import('#cli/service/service-rollback.ts')
  const { onlyByService, serviceFirst } = await import('#cli/service/ask-if-known.ts')
  return serviceFirst(word, flags, context, serviceRollback(invocation, context), async () => {
    if (kustomizationIn(word) !== undefined) throw onlyByService(word)
    const memory = await context.session.memory()
    const record = await recordFor(word, flags.namespace, memory.store)
    return rollBack(record, number, flags, context, memory)
  })
}
