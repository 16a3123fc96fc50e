/** Adds words for editors to a JSON Schema: descriptions by path where there are none, and examples. */

export type JsonSchema = Readonly<Record<string, unknown>>

/** `providers.kind.image`; what a list or a map holds has the path of the list or map. */
export type Descriptions = Readonly<Record<string, string>>

export function describe(
  schema: JsonSchema,
  descriptions: Descriptions,
  examples: readonly unknown[] = [],
): JsonSchema {
  const described = within(schema, '', descriptions)
  return examples.length === 0 ? described : { ...described, examples }
}

function within(schema: JsonSchema, path: string, words: Descriptions): JsonSchema {
  const text = words[path]
  const inside = (value: unknown, at = path): unknown =>
    isSchema(value) ? within(value, at, words) : value
  return Object.fromEntries([
    ...(text !== undefined && !('description' in schema) ? [['description', text]] : []),
    ...Object.entries(schema).map(([key, value]) => {
      if (key === 'properties' && isSchema(value)) {
        const fields = Object.entries(value).map(([name, field]) => [
          name,
          inside(field, path === '' ? name : `${path}.${name}`),
        ])
        return [key, Object.fromEntries(fields)]
      }
      if (key === 'items' || key === 'additionalProperties') return [key, below(value, inside)]
      if (Array.isArray(value) && /^(?:any|one|all)Of$/.test(key)) {
        return [key, value.map((one: unknown) => below(one, inside))]
      }
      return [key, value]
    }),
  ])
}

/** The list, map or choice is described once, and not each of its parts again. */
function below(value: unknown, inside: (value: unknown) => unknown): unknown {
  if (!isSchema(value)) return value
  const { description, ...rest } = { description: undefined, ...value }
  const done = inside({ description: '', ...rest })
  if (!isSchema(done)) return done
  const { description: _, ...bare } = done
  return description === undefined ? bare : { description, ...bare }
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
