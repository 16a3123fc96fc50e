/** The types of JSON Schema, and their names for people. */

const named = {
  null: 'nothing (null)',
  boolean: 'true or false',
  integer: 'an integer',
  number: 'a number',
  string: 'a string',
  array: 'a list',
  object: 'a map',
} as const

type TypeName = keyof typeof named

export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function typeOf(value: unknown): TypeName {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value === 'string' ? 'string' : 'object'
}

export function typeFault(wanted: unknown, value: unknown): string | undefined {
  const types = (Array.isArray(wanted) ? wanted : [wanted]).filter(
    (each): each is string => typeof each === 'string',
  )
  if (types.length === 0) return undefined
  const found = typeOf(value)
  const fits = types.some((each) => each === found || (each === 'number' && found === 'integer'))
  if (fits) return undefined
  const words = types.map((each) => (isTypeName(each) ? named[each] : each))
  return `expected ${words.join(' or ')}, found ${foundWord(found, value)}`
}

function isTypeName(word: string): word is TypeName {
  return Object.hasOwn(named, word)
}

function foundWord(found: TypeName, value: unknown): string {
  if (found === 'boolean') return String(value)
  return found === 'null' ? 'null' : named[found]
}
