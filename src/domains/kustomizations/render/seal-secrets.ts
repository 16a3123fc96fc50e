/** Takes the values of a Secret out of it, into the vault, and says which of them no server would take. Pure. */
import { isRecord, type Json, type JsonRecord } from '#model/json.ts'
import type { Ref } from '#model/ref.ts'
import type { Value } from '#model/value.ts'

/** `key`: what its line begins with. Values are never in the words. */
export type Fault = { readonly key: string; readonly message: string; readonly suggestion: string }

/** `stringData` is a way of writing `data`; either way its values go to the vault and only their places stay. */
export function sealed(
  object: JsonRecord,
  ref: Ref,
  secrets: Map<string, Uint8Array>,
): { readonly spec: Value; readonly faults: readonly Fault[] } {
  const { data, stringData, ...rest } = object
  const faults: Fault[] = []
  const all = new Map([
    ...entriesOf('data', data, faults, (key, text) => encoded(key, text, faults)),
    ...entriesOf('stringData', stringData, faults, (_, text) => base64(text)),
  ])
  const places: Record<string, Value> = {}
  for (const [key, value] of all) {
    const id = `${ref}#${key}`
    secrets.set(id, Buffer.from(value))
    places[key] = { sealed: id }
  }
  return { spec: all.size === 0 ? rest : { ...rest, data: places }, faults }
}

/** What is no text is refused, as a server does it: nothing may be missing in silence. */
function entriesOf(
  field: string,
  values: Json | undefined,
  faults: Fault[],
  read: (key: string, text: string) => string,
): readonly (readonly [string, string])[] {
  if (values === undefined || values === null) return []
  if (!isRecord<Json>(values)) {
    const suggestion = 'write a key and a text in each line below it'
    faults.push({ key: field, message: `${field} is ${sortOf(values)}, not a map`, suggestion })
    return []
  }
  return Object.entries(values).map(([key, value]) => {
    if (typeof value === 'string') return [key, read(key, value)]
    // as the server has it
    if (value === null) return [key, '']
    const message = `${field}.${key}: expected a text, got ${sortOf(value)}`
    faults.push({ key, message, suggestion: 'write it in quotes' })
    return [key, base64(JSON.stringify(value))]
  })
}

/** Line breaks mean nothing in base64, and a server does not keep them, nor other ways of writing the same bytes. */
function encoded(key: string, text: string, faults: Fault[]): string {
  const value = text.replaceAll(/[\r\n]/g, '')
  if (value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value)) {
    return Buffer.from(value, 'base64').toString('base64')
  }
  const suggestion = 'encode it (base64 -w0), or move it to stringData, which takes plain texts'
  faults.push({ key, message: `data.${key} is not base64`, suggestion })
  return base64(text)
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

function sortOf(value: Json): string {
  if (isRecord<Json>(value)) return 'a map'
  return typeof value === 'object' ? 'a list' : `a ${typeof value}`
}
