/** `tend schema`: JSON Schema of the manifests, for editors. */
import type { Invocation } from '../arguments/invocation.ts'
import { closest } from '../arguments/closest.ts'
import { usageProblem } from '../arguments/usage.ts'
import type { Desk } from '../session.ts'
import { isRecord, type Json } from '#model/json.ts'

export async function schema({ words }: Invocation, { session, screen }: Desk): Promise<number> {
  const schemas = await session.schema()
  const [wanted] = words
  const found = wanted === undefined ? schemas : schemas[wanted]
  if (!isRecord<Json>(found)) throw unknownKind(wanted ?? '', Object.keys(schemas))
  if (screen.format === 'yaml') await screen.document(found)
  else screen.print([JSON.stringify(found, null, 2)])
  return 0
}

function unknownKind(typed: string, kinds: readonly string[]): Error {
  const meant = closest(typed, kinds)
  const suggestion =
    meant === undefined ? `there are: ${kinds.join(', ')}` : `did you mean ${meant}?`
  return usageProblem(`unknown kind ${JSON.stringify(typed)}`, suggestion)
}
