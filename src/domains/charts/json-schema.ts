/** JSON Schemas of all kinds and of Chart.yaml, made from the definitions that charts are checked with. */
import * as z from 'zod/mini'
import { spreadExamples } from '#formats/schema/spread-examples.ts'
import { manifestExamples } from './manifest-examples.ts'
import { furtherExamples } from './further-examples.ts'
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
  if (name.toLowerCase() === 'chart') {
    return made(chartSchema, 'Chart', [
      { name: 'my-app', version: '0.1.0', description: 'A shop and its database' },
    ])
  }
  const kind = kinds.find((one) =>
    [one, manifestKinds[one].toLowerCase()].includes(name.toLowerCase()),
  )
  if (kind === undefined) return undefined
  return made(manifestSchema(kind), manifestKinds[kind], [manifestExamples[kind]])
}

function any(): JsonSchema {
  const forms = z.union(kinds.map((kind) => manifestSchema(kind)))
  return made(forms, 'Manifest', Object.values(manifestExamples))
}

/** A whole document of a chart. */
export function manifestSchema(kind: (typeof kinds)[number]) {
  return z.strictObject({
    apiVersion: z.enum(apiVersions),
    kind: z.literal(manifestKinds[kind]),
    metadata,
    spec: kind === 'network' || kind === 'volume' ? z.optional(schemas[kind]) : schemas[kind],
  })
}

function made(schema: z.ZodMiniType, title: string, examples: readonly unknown[]): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input' })
  const further = title === 'Chart' ? [] : furtherExamples
  return { ...spreadExamples({ $schema, title, ...rest }, [...examples, ...further]), examples }
}
