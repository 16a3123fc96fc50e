/** JSON Schema of tend.yaml, for editors, made from what it is checked with. */
import * as z from 'zod/mini'
import type { KindDeclaration } from '#model/kind-declaration.ts'
import { fileSchemaOf, nestedSchema } from './schema.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/** `repository`: of the file beside an application in a repository. */
export function declarationSchema(
  kinds: readonly KindDeclaration[],
  whose: 'operator' | 'repository' = 'operator',
): JsonSchema {
  const schema = whose === 'operator' ? fileSchemaOf(kinds) : nestedSchema
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input' })
  const title = whose === 'operator' ? 'tend.yaml' : 'tend.yaml in a repository'
  return { $schema, title, ...rest }
}
