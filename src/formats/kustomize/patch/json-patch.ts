/** JSON patches (RFC 6902), with the liberties that Go's usual implementation takes. */
import { fail } from '../error.ts'
import { parseOne } from '../yaml/parse.ts'
import { type Plain, type PlainMap, jsonOf, plainOfSettings } from '../yaml/plain.ts'
import { defined } from '#model/defined.ts'

export type Operation = PlainMap

/** Undefined: an empty patch. Throws when the text is no list of operations. */
export function readJsonPatch(text: string, file: string): readonly Operation[] | undefined {
  if (text === '') fail('the patch is empty')
  const value = text.startsWith('[') ? plainJson(text) : plainYaml(text, file)
  if (value === null) return undefined
  if (!Array.isArray(value)) return fail('a JSON patch is a list of operations')
  return value.map((operation) => {
    if (operation === null) return new Map<string, Plain>()
    return operation instanceof Map ? operation : fail('an operation is a map with op and path')
  })
}

function plainYaml(text: string, file: string): Plain {
  const node = parseOne(text, file, 'old')
  return node === undefined ? null : plainOfSettings(node)
}

function plainJson(text: string): Plain {
  try {
    return fromJson(JSON.parse(text))
  } catch (error) {
    return fail(`not valid JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

export function fromJson(value: unknown): Plain {
  if (Array.isArray(value)) return value.map(fromJson)
  if (typeof value === 'object' && value !== null) {
    return new Map(Object.entries(value).map(([key, item]) => [key, fromJson(item)]))
  }
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value
  }
  return null
}

/** The document with the operations done, in order. */
export function applyJsonPatch(document: Plain, operations: readonly Operation[]): Plain {
  const root: { value: Plain } = { value: document }
  for (const operation of operations) run(root, operation)
  return root.value
}

function run(root: { value: Plain }, operation: Operation): void {
  const given = operation.get('op')
  const kind = typeof given === 'string' ? given : ''
  switch (kind) {
    case 'add':
      return add(root, pathOf(operation, 'path'), copied(operation.get('value') ?? null))
    case 'remove':
      return remove(root, pathOf(operation, 'path'))
    case 'replace':
      return put(root, pathOf(operation, 'path'), copied(operation.get('value') ?? null))
    case 'move': {
      const from = pathOf(operation, 'from')
      const value = read(root, from)
      remove(root, from)
      return add(root, pathOf(operation, 'path'), value)
    }
    case 'copy':
      return add(root, pathOf(operation, 'path'), copied(read(root, pathOf(operation, 'from'))))
    case 'test':
      return test(root, pathOf(operation, 'path'), operation.get('value') ?? null)
    default:
      return fail(`a JSON patch can't do ${JSON.stringify(kind)}`)
  }
}

function pathOf(operation: Operation, name: 'path' | 'from'): string {
  const path = operation.get(name)
  return typeof path === 'string' ? path : fail(`the operation has no ${name}`)
}

type Spot = { readonly holder: Plain[] | PlainMap; readonly key: string }

/** The map or list that holds what the path names. */
function find(root: { value: Plain }, path: string): Spot {
  const parts = path.split('/')
  if (parts.length < 2) fail(`the path ${JSON.stringify(path)} does not start with /`)
  let holder: Plain | undefined = root.value
  for (const part of parts.slice(1, -1)) {
    holder = Array.isArray(holder)
      ? holder[indexIn(holder, unescaped(part)) ?? -1]
      : inMap(holder, part)
    if (holder === undefined || holder === null) fail(`there is no ${path}`)
  }
  if (!Array.isArray(holder) && !(holder instanceof Map)) return fail(`there is no ${path}`)
  return { holder, key: unescaped(defined(parts.at(-1))) }
}

function inMap(holder: Plain | undefined, part: string): Plain | undefined {
  return holder instanceof Map ? holder.get(unescaped(part)) : undefined
}

/** Negative numbers count from the end; undefined when it is no number or outside. */
function indexIn(list: readonly Plain[], key: string, length = list.length): number | undefined {
  if (!/^[-+]?\d+$/.test(key)) return undefined
  const index = Number(key)
  const at = index < 0 ? index + length : index
  return at >= 0 && at < length ? at : undefined
}

function unescaped(part: string): string {
  return part.replace(/~[01]/g, (code) => (code === '~1' ? '/' : '~'))
}

function add(root: { value: Plain }, path: string, value: Plain): void {
  const { holder, key } = find(root, path)
  if (holder instanceof Map) {
    holder.set(key, value)
    return
  }
  if (key === '-') {
    holder.push(value)
    return
  }
  const at = indexIn(holder, key, holder.length + 1)
  if (at === undefined) fail(`${path} is no place in a list of ${holder.length}`)
  holder.splice(defined(at), 0, value)
}

function remove(root: { value: Plain }, path: string): void {
  const { holder, key } = find(root, path)
  if (holder instanceof Map) {
    if (!holder.delete(key)) fail(`there is no ${path} to remove`)
    return
  }
  const at = indexIn(holder, key)
  if (at === undefined) fail(`there is no ${path} to remove`)
  holder.splice(defined(at), 1)
}

/** Replacing a field that is not there adds it. */
function put(root: { value: Plain }, path: string, value: Plain): void {
  if (path === '') {
    if (typeof value !== 'object' || value === null) fail('a whole object needs a map in its place')
    root.value = value
    return
  }
  const { holder, key } = find(root, path)
  if (holder instanceof Map) {
    holder.set(key, value)
    return
  }
  const at = indexIn(holder, key)
  if (at === undefined) fail(`there is no ${path} to replace`)
  holder[defined(at)] = value
}

function read(root: { value: Plain }, path: string): Plain {
  const { holder, key } = find(root, path)
  if (holder instanceof Map) return holder.get(key) ?? null
  const at = indexIn(holder, key)
  return at === undefined ? fail(`there is no ${path}`) : defined(holder[at])
}

function test(root: { value: Plain }, path: string, value: Plain): void {
  const found = path === '' ? root.value : read(root, path)
  if (jsonOf(found) !== jsonOf(value)) fail(`the test of ${path} fails: it is ${jsonOf(found)}`)
}

function copied(value: Plain): Plain {
  if (Array.isArray(value)) return value.map(copied)
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [key, copied(item)]))
  return value
}
