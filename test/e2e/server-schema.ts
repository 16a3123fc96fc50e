/** The part of JSON Schema that the OpenAPI document uses: to hold answers against it, and to make requests from it. */
import fc from 'fast-check'
import type { Loose } from './server-world.ts'

export type Schema = Loose

/** What does not fit, as `path: why`; empty when all fits. */
export function misfits(value: Loose, schema: Schema, root: Schema, path = '$'): readonly string[] {
  if (schema === true || Object.keys(schema).length === 0) return []
  if (schema.$ref !== undefined) return misfits(value, resolved(schema.$ref, root), root, path)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) {
    const tried = choices.map((one: Schema) => misfits(value, one, root, path))
    return tried.some((found: readonly string[]) => found.length === 0) ? [] : tried.flat()
  }
  if (schema.const !== undefined && schema.const !== value) return [`${path}: not ${schema.const}`]
  if (schema.enum !== undefined && !schema.enum.includes(value))
    return [`${path}: ${value} is none`]
  if (schema.type !== undefined && !isType(value, schema.type)) {
    return [`${path}: ${JSON.stringify(value)} is no ${schema.type}`]
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      misfits(item, schema.items ?? {}, root, `${path}[${index}]`),
    )
  }
  return typeof value === 'object' && value !== null ? fieldsOf(value, schema, root, path) : []
}

function fieldsOf(value: Loose, schema: Schema, root: Schema, path: string): readonly string[] {
  const known = schema.properties ?? {}
  const missing = (schema.required ?? []).filter((name: string) => value[name] === undefined)
  const found = missing.map((name: string) => `${path}.${name}: missing`)
  for (const [name, item] of Object.entries(value)) {
    if (known[name] !== undefined)
      found.push(...misfits(item, known[name], root, `${path}.${name}`))
    else if (schema.additionalProperties === false) found.push(`${path}.${name}: not known`)
  }
  return found
}

function resolved(reference: string, root: Schema): Schema {
  return reference
    .split('/')
    .slice(1)
    .reduce((place, part) => place[part], root)
}

function isType(value: unknown, type: string | readonly string[]): boolean {
  if (typeof type !== 'string') return type.some((one) => isType(value, one))
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    default:
      return typeof value === type
  }
}

/** Values that fit, mostly: now and then anything at all takes their place. */
export function valuesFor(schema: Schema, root: Schema): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 5, arbitrary: fitting(schema, root) },
    { weight: 1, arbitrary: fc.jsonValue() },
  )
}

function fitting(schema: Schema, root: Schema): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return fitting(resolved(schema.$ref, root), root)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return fc.oneof(...choices.map((one: Schema) => fitting(one, root)))
  switch (schema.type) {
    case 'string':
      return schema.pattern === undefined
        ? fc.string({ unit: 'binary', maxLength: schema.maxLength ?? 40 })
        : fc.stringMatching(new RegExp(schema.pattern))
    case 'integer':
    case 'number':
      return fc.integer({ min: schema.minimum ?? -10, max: schema.maximum ?? 1e9 })
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(valuesFor(schema.items ?? {}, root), { maxLength: 5 })
    case 'object': {
      const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [
        name,
        valuesFor(field, root),
      ])
      return fc.record(Object.fromEntries(fields), { requiredKeys: schema.required ?? [] })
    }
    default:
      return fc.jsonValue()
  }
}
