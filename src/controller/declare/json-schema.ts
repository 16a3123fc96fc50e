/** JSON Schema of tend.yaml, for editors, made from what it is checked with. */
import * as z from 'zod/mini'
import { describe, type Descriptions, type JsonSchema } from '#formats/schema/describe.ts'
import { spreadExamples } from '#formats/schema/spread-examples.ts'
import type { KindDeclaration } from '#model/kind-declaration.ts'
import { fileSchemaOf, nestedSchema } from './schema.ts'
import { wholeExample } from './whole-example.ts'

export type { JsonSchema }

/** Where the schema itself has no words. */
const descriptions: Descriptions = {
  'listen.address': 'HOST:PORT',
  'hooks.kind': 'Who calls: github, gitlab, gitea, …',
  'alerts.channels': 'Where alerts go',
  'alerts.channels.kind': 'What kind of place that is',
  'commitStatus.kind': 'Whose API is called',
  'commitStatus.repository': 'Which repository: OWNER/NAME',
  log: 'How much is logged, and in which form',
  'login.clientId': 'What the provider of accounts calls this service',
  'login.roles.role': 'read, operate or admin',
}

const example = {
  sources: { shop: { git: 'https://example.org/shop.git', ref: 'main' } },
  apps: [{ stack: 'web', source: 'shop', path: 'deploy/web' }],
}

/** `repository`: of the file beside an application in a repository. */
export function declarationSchema(
  kinds: readonly KindDeclaration[],
  whose: 'operator' | 'repository' = 'operator',
): JsonSchema {
  const schema = whose === 'operator' ? fileSchemaOf(kinds) : nestedSchema
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input' })
  const title = whose === 'operator' ? 'tend.yaml' : 'tend.yaml in a repository'
  const examples = whose === 'operator' ? [example] : []
  const described = describe({ $schema, title, ...rest }, descriptions, examples)
  return spreadExamples(described, [wholeExample, ...wholeExample.apps.slice(0, 1)])
}
