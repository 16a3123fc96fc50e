/** The tend.yaml beside an application in a repository: values, profiles and files, and nothing that is the operator's. */
import type { Hints } from '#formats/schema/faults.ts'
import { isRecord, type Json } from '#model/json.ts'
import type { KindDeclaration } from '#model/kind-declaration.ts'
import type { ProblemFacts } from '#model/problem.ts'
import { kindsWith, valuesIn } from './apps.ts'
import { nestedSchema, operatorsFields, type NestedData } from './schema.ts'
import { readWritten, troubleOf, type DeclarationFile } from './written.ts'

export type Nested = {
  readonly values: Readonly<Record<string, Json>>
  readonly profiles: readonly string[] | undefined
  readonly files: readonly string[] | undefined
  readonly problems: readonly ProblemFacts[]
}

export function readNested(
  file: DeclarationFile,
  kind: KindDeclaration,
  kinds: readonly KindDeclaration[],
): Nested {
  const written = readWritten<NestedData>(nestedSchema, {}, file, hintsFor(kinds))
  const problems = [...written.problems]
  const values = valuesIn(written, ['values'], kind, problems)
  const { files, profiles } = written.data
  for (const key of ['files', 'profiles'] as const) {
    if (kind.fields.includes(key) || written.data[key] === undefined) continue
    const owners = kindsWith(key, kinds).join(' or a ')
    const message = `${key} belongs to a ${owners}, not to a ${kind.kind}`
    problems.push(troubleOf({ message, suggestion: 'take it away', at: written.at([key], 'key') }))
  }
  return { values, profiles, files, problems }
}

function hintsFor(kinds: readonly KindDeclaration[]): Hints {
  const sections = kinds.flatMap(({ section }) => section?.name ?? [])
  const names = [...kinds.map(({ kind }) => kind), ...sections]
  const operators = new Set([...names, ...operatorsFields, ...others])
  return {
    field: (_, path, key) =>
      path.length === 0 && operators.has(key)
        ? "only the operator sets it, in the service's own tend.yaml; here: values, profiles, files"
        : undefined,
  }
}

const others = ['credentials', 'owner', 'policy', 'instance', 'token']

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
