/** The resolved model as the text that is hashed: JSON as the reference's encoder writes it. */
import { isArray, isObject, type Json } from '../yaml/node.ts'
import { defined } from '#model/defined.ts'

/** The characters that the encoder escapes beside those of JSON. */
function writeScalar(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  return JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

export function writeAny(value: Json): string {
  if (isArray(value)) return `[${value.map(writeAny).join()}]`
  return isObject(value) ? writeMap(value, writeAny) : writeScalar(value)
}

export function writeMap<T>(
  value: Readonly<Record<string, T>>,
  write: (inner: T) => string,
): string {
  const keys = Object.keys(value).toSorted(compareBytes)
  return `{${keys.map((key) => `${writeScalar(key)}:${write(defined(value[key]))}`).join()}}`
}

/** By the bytes of their UTF-8, which differs from JavaScript's order only beyond the basic plane. */
function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
