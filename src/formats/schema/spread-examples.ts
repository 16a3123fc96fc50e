/** Gives each key of a JSON Schema that takes free text, numbers or lists what whole examples of a file say there, for editors to show. */
import type { JsonSchema } from './describe.ts'

/** A key that has examples of its own keeps them. What is chosen from a list, or is yes or no, needs none. */
export function spreadExamples(schema: JsonSchema, wholes: readonly unknown[]): JsonSchema {
  return wholes.reduce<JsonSchema>((so, whole) => within(so, whole), schema)
}

function within(schema: JsonSchema, value: unknown): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([key, part]) => {
      if (key === 'properties' && isMap(part) && isMap(value)) {
        return [key, mapped(part, (field, name) => withExample(field, value[name]))]
      }
      if (key === 'additionalProperties' && isMap(part) && isMap(value)) {
        return [key, Object.values(value).reduce<JsonSchema>(within, part)]
      }
      if (key === 'items' && isMap(part) && Array.isArray(value)) {
        return [key, value.reduce<JsonSchema>(within, part)]
      }
      if (key === 'anyOf' && Array.isArray(part)) {
        return [key, part.map((one) => (isMap(one) && fits(one, value) ? within(one, value) : one))]
      }
      return [key, part]
    }),
  )
}

function withExample(field: unknown, value: unknown): unknown {
  if (!isMap(field) || value === undefined) return field
  const inside = within(field, value)
  return needsExample(field) ? { ...inside, examples: [value] } : inside
}

/** Neither has one, nor holds keys that have their own, nor says itself what can be written. */
export function needsExample(schema: unknown): boolean {
  if (!isMap(schema) || 'examples' in schema || 'enum' in schema || 'const' in schema) return false
  if ('properties' in schema || schema['type'] === 'boolean') return false
  const { items, additionalProperties: values, anyOf } = schema
  if (Array.isArray(anyOf)) return anyOf.every(needsExample)
  return ![items, values].some(
    (one) => isMap(one) && Object.keys(one).length > 0 && !needsExample(one),
  )
}

/** Of several forms: the one that such a value has. */
function fits(schema: JsonSchema, value: unknown): boolean {
  const { type, properties, required, anyOf, const: only } = schema
  if (Array.isArray(anyOf)) return anyOf.some((one) => isMap(one) && fits(one, value))
  if (only !== undefined) return only === value
  if (!isMap(properties)) return type === (Array.isArray(value) ? 'array' : typeof value)
  if (!isMap(value)) return false
  const isKnown = Object.entries(value).every(
    ([key, one]) => isMap(properties[key]) && !contradicts(properties[key], one),
  )
  return isKnown && (!Array.isArray(required) || required.every((key) => key in value))
}

/** The kind of a manifest tells the forms apart. */
function contradicts({ const: only }: JsonSchema, value: unknown): boolean {
  return only !== undefined && only !== value
}

function mapped(map: JsonSchema, to: (value: unknown, key: string) => unknown): JsonSchema {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, to(value, key)]))
}

function isMap(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
