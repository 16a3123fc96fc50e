/** `tend schema`: JSON Schema of the manifests, of the service's declarations and of a fleet's settings, for editors. */
import type { Invocation } from '../arguments/invocation.ts'
import { closest } from '../arguments/closest.ts'
import { usageProblem } from '../arguments/usage.ts'
import type { JsonSchema } from '#controller/declare/json-schema.ts'
import type { CommandContext } from '../session.ts'
import { loadDeclarations, loadSchemas } from '#kinds/all.ts'
import type { JsonRecord } from '#model/json.ts'

export async function schema({ words }: Invocation, { screen }: CommandContext): Promise<number> {
  const [wanted] = words
  if (wanted === declarations) return tell(await declarationsSchema(), screen)
  const schemas = await loadSchemas()
  const found = schemas.schema(wanted)
  if (found === undefined) throw unknownKind(wanted ?? '', [...schemas.names, declarations])
  return tell(found, screen)
}

const declarations = 'tend.yaml'

async function declarationsSchema(): Promise<JsonSchema> {
  const { declarationSchema } = await import('#controller/declare/json-schema.ts')
  return declarationSchema(await loadDeclarations())
}

async function tell(found: JsonSchema, screen: CommandContext['screen']): Promise<number> {
  const content: JsonRecord = JSON.parse(JSON.stringify(found))
  if (screen.format === 'yaml') await screen.document(content)
  else screen.print([JSON.stringify(content, null, 2)])
  return 0
}

function unknownKind(typed: string, kinds: readonly string[]): Error {
  const meant = closest(typed, kinds)
  const suggestion =
    meant === undefined ? `there are: ${kinds.join(', ')}` : `did you mean ${meant}?`
  return usageProblem(`unknown kind ${JSON.stringify(typed)}`, suggestion)
}
