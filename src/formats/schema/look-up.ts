/** Asks a schema what it expects at a place. */
import type * as z from 'zod/mini'
import type { YamlPath } from '../yaml/find-node.ts'

type Schema = z.core.$ZodTypes

/** The schemas that may stand at a path: several where there is a choice of forms. */
export function schemasAt(schema: z.core.$ZodType, path: YamlPath): readonly Schema[] {
  let here = formsOf(known(schema))
  for (const part of path) here = here.flatMap((form) => inside(form, part)).flatMap(formsOf)
  return here
}

/** The fields that are known at a path, for "did you mean". */
export function fieldsAt(schema: z.core.$ZodType, path: YamlPath): readonly string[] {
  return schemasAt(schema, path).flatMap((form) => {
    const { def } = form._zod
    if (def.type === 'object') return Object.keys(def.shape)
    if (def.type !== 'record') return []
    return formsOf(known(def.keyType)).flatMap((key) =>
      key._zod.def.type === 'enum' ? Object.values(key._zod.def.entries).map(String) : [],
    )
  })
}

/** The parts below a path that know a field, as texts: `ports[]`, `resources.limits`. */
export function partsWith(
  schema: z.core.$ZodType,
  path: YamlPath,
  field: string,
): readonly string[] {
  const start = path.map((part) => (typeof part === 'number' ? '[]' : `.${part}`)).join('')
  const found = schemasAt(schema, path).flatMap((form) => partsIn(form, start, field))
  return [...new Set(found)].map((part) => part.replace(/^\./, ''))
}

function partsIn(form: Schema, at: string, field: string): readonly string[] {
  const { def } = form._zod
  if (def.type === 'array') {
    return formsOf(known(def.element)).flatMap((item) => partsIn(item, `${at}[]`, field))
  }
  if (def.type !== 'object') return []
  const below = Object.entries(def.shape).flatMap(([key, inner]) =>
    formsOf(known(inner)).flatMap((one) => partsIn(one, `${at}.${key}`, field)),
  )
  return Object.hasOwn(def.shape, field) ? [at, ...below] : below
}

/** "a list of strings", "a whole number": what should have been there. */
export function expectedAt(schema: z.core.$ZodType, path: YamlPath): string {
  return [...new Set(schemasAt(schema, path).map((form) => wordsOf(form)))].join(' or ')
}

function known(schema: z.core.$ZodType): Schema {
  if (!isKnown(schema)) throw new TypeError('not a schema of zod itself')
  return schema
}

function isKnown(schema: z.core.$ZodType): schema is Schema {
  return 'type' in schema._zod.def
}

function formsOf(schema: Schema): readonly Schema[] {
  const { def } = schema._zod
  if (def.type === 'optional') return formsOf(known(def.innerType))
  return def.type === 'union' ? def.options.flatMap((option) => formsOf(known(option))) : [schema]
}

function inside(schema: Schema, part: string | number): readonly Schema[] {
  const { def } = schema._zod
  if (def.type === 'array') return typeof part === 'number' ? [known(def.element)] : []
  if (def.type === 'record') return [known(def.valueType)]
  const field = def.type === 'object' ? def.shape[part] : undefined
  return field === undefined ? [] : [known(field)]
}

function wordsOf(schema: Schema): string {
  const { def } = schema._zod
  if (def.type === 'literal') return def.values.map(String).join(' or ')
  if (def.type !== 'array') return words.get(def.type) ?? def.type
  const items = formsOf(known(def.element)).map((form) => plurals.get(form._zod.def.type) ?? '')
  return `a list of ${[...new Set(items)].join(' or ')}`
}

const words = new Map([
  ['string', 'a string'],
  ['enum', 'a string'],
  ['number', 'a number'],
  ['boolean', 'true or false'],
  ['object', 'a map'],
  ['record', 'a map'],
])

const plurals = new Map([
  ['string', 'strings'],
  ['number', 'numbers'],
  ['object', 'maps'],
])
