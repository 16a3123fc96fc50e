/** JSON Schemas of all kinds and of Chart.yaml, made from the definitions that charts are checked with. */
import * as z from 'zod/mini'
import { chartSchema } from './render/schema/chart.ts'
import { apiVersions, metadata } from './render/schema/envelope.ts'
import { manifestKinds, schemas } from './render/schema/kinds.ts'
import { kinds } from './spec.ts'

/** What `jsonSchema` knows: `Chart`, and the kinds of manifests. */
export const schemaNames: readonly string[] = ['Chart', ...Object.values(manifestKinds)]

export type JsonSchema = Readonly<Record<string, unknown>>

/** Without a name: one for any manifest, for editors to check a whole folder with. Undefined: there is no such kind. */
export function jsonSchema(name?: string): JsonSchema | undefined {
  if (name === undefined) return any()
  if (name.toLowerCase() === 'chart') return made(chartSchema, 'Chart')
  const kind = kinds.find((one) =>
    [one, manifestKinds[one].toLowerCase()].includes(name.toLowerCase()),
  )
  return kind === undefined ? undefined : made(envelope(kind), manifestKinds[kind])
}

function any(): JsonSchema {
  const forms = z.union(kinds.map((kind) => envelope(kind)))
  return made(forms, 'Manifest')
}

function envelope(kind: (typeof kinds)[number]) {
  return z.strictObject({
    apiVersion: z.enum(apiVersions),
    kind: z.literal(manifestKinds[kind]),
    metadata,
    spec: kind === 'network' || kind === 'volume' ? z.optional(schemas[kind]) : schemas[kind],
  })
}

function made(schema: z.ZodMiniType, title: string): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input' })
  return { $schema, title, ...rest }
}
