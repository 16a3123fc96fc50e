/** The tend.yaml beside an application in a repository: values, profiles and files, and nothing that is the operator's. */
import type { Hints } from '#formats/schema/faults.ts'
import type { Application } from '#model/application.ts'
import { isRecord, type Json } from '#model/json.ts'
import type { ProblemFacts } from '#model/problem.ts'
import { valuesIn } from './apps.ts'
import { appSchema, discoverSchema, fileSchema, nestedSchema, type NestedData } from './schema.ts'
import { readWritten, troubleOf, type DeclarationFile } from './written.ts'

export type Nested = {
  readonly values: Readonly<Record<string, Json>>
  readonly profiles: readonly string[] | undefined
  readonly files: readonly string[] | undefined
  readonly problems: readonly ProblemFacts[]
}

export function readNested(file: DeclarationFile, kind: Application['kind']): Nested {
  const written = readWritten<NestedData>(nestedSchema, {}, file, hints)
  const problems = [...written.problems]
  const values = valuesIn(written, ['values'], kind, problems)
  const { files, profiles } = written.data
  for (const key of ['files', 'profiles'] as const) {
    if (kind !== 'chart' || written.data[key] === undefined) continue
    const message = `${key} belongs to a stack, not to a chart`
    problems.push(troubleOf({ message, suggestion: 'take it away', at: written.at([key], 'key') }))
  }
  return { values, profiles, files, problems }
}

const operators: ReadonlySet<string> = new Set([
  ...Object.keys(appSchema.shape),
  ...Object.keys(discoverSchema.shape),
  ...Object.keys(fileSchema.shape),
  'credentials',
  'owner',
  'policy',
  'instance',
  'token',
])

const hints: Hints = {
  field: (_, path, key) =>
    path.length === 0 && operators.has(key)
      ? "only the operator sets it, in the service's own tend.yaml; here: values, profiles, files"
      : undefined,
}

/** Maps are merged, anything else is replaced. */
export function mergedValues(
  under: Readonly<Record<string, Json>>,
  over: Readonly<Record<string, Json>>,
): Readonly<Record<string, Json>> {
  const merged: Record<string, Json> = { ...under }
  for (const [key, value] of Object.entries(over)) {
    const before = merged[key]
    merged[key] =
      isRecord<Json>(before) && isRecord<Json>(value) ? mergedValues(before, value) : value
  }
  return merged
}
