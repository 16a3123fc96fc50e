/** TOML text to values. */
import type { Budget } from '../budget.ts'
import { quote } from '../quote.ts'
import { dict, list, type Dict, type Value } from '../values.ts'
import { cursor, type Cursor } from './cursor.ts'
import { readScalar } from './scalar.ts'
import { readKey } from './strings.ts'

export function readToml(text: string, budget: Budget): Dict {
  budget.text(text)
  const source = cursor(text)
  const root = dict(new Map())
  /** Tables that were written out, and may not be again. */
  const closed = new Set<Value>()
  const arrays = new Map<Value, Dict[]>()
  let current = root
  let path: readonly string[] = []

  function descend(from: Dict, keys: readonly string[]): Dict {
    let table = from
    for (const [index, key] of keys.entries()) {
      const held = table.entries.get(key)
      const tables = held === undefined ? undefined : arrays.get(held)
      const next = tables?.at(-1) ?? held
      if (next === undefined) {
        const made = dict(new Map())
        table.entries.set(key, made)
        table = made
      } else if (isTable(next)) table = next
      else throw source.fail(`Key '${dotted(keys.slice(0, index + 1))}' has already been defined.`)
    }
    return table
  }
  function header(): void {
    const isArray = source.take('[[')
    if (!isArray) source.take('[')
    source.skipBlanks()
    if (source.peek() === ']')
      throw source.fail('unexpected end of table name (table names cannot be empty)')
    const keys = readKey(source)
    source.skipBlanks()
    if (!source.take(isArray ? ']]' : ']')) {
      throw source.fail(`expected '.' or ']' to end table name, but got ${source.shown()} instead`)
    }
    const parent = descend(root, keys.slice(0, -1))
    const name = keys.at(-1) ?? ''
    path = keys
    source.table = dotted(keys)
    source.endPair()
    current = isArray ? arrayTable(parent, name, keys) : namedTable(parent, name, keys)
  }
  function arrayTable(parent: Dict, name: string, keys: readonly string[]): Dict {
    const held = parent.entries.get(name)
    const tables = held === undefined ? [] : arrays.get(held)
    if (tables === undefined) {
      throw source.fail(`Key '${dotted(keys)}' was already created and cannot be used as an array.`)
    }
    const made = dict(new Map())
    tables.push(made)
    const whole = list([...tables], '[]map[string]interface {}')
    arrays.set(whole, tables)
    parent.entries.set(name, whole)
    return made
  }
  function namedTable(parent: Dict, name: string, keys: readonly string[]): Dict {
    const held = parent.entries.get(name)
    if (held !== undefined && (!isTable(held) || closed.has(held))) {
      throw source.fail(`Key '${dotted(keys)}' has already been defined.`)
    }
    const table = held !== undefined && isTable(held) ? held : dict(new Map())
    parent.entries.set(name, table)
    closed.add(table)
    return table
  }
  function pair(into: Dict, prefix: readonly string[], depth: number): void {
    const keys = readKey(source)
    source.skipBlanks()
    if (source.peek() === undefined) throw source.fail("unexpected EOF; expected key separator '='")
    if (!source.take('=')) {
      throw source.fail(`expected '.' or '=', but got ${source.shown()} instead`)
    }
    source.lastKey = dotted([...prefix, ...keys])
    source.skipBlanks()
    const value = readValue(depth, [...prefix, ...keys])
    const table = descend(into, keys.slice(0, -1))
    const name = keys.at(-1) ?? ''
    if (table.entries.has(name)) {
      throw source.fail(`Key '${dotted([...prefix, ...keys])}' has already been defined.`)
    }
    table.entries.set(name, value)
    if (isTable(value)) closed.add(value)
  }
  function readValue(depth: number, keys: readonly string[]): Value {
    budget.grow()
    budget.nest(depth)
    const char = source.peek()
    if (char === '[') return array(depth, keys)
    if (char === '{') return inlineTable(depth, keys)
    return readScalar(source)
  }
  function array(depth: number, keys: readonly string[]): Value {
    source.take('[')
    const items: Value[] = []
    for (;;) {
      source.skipLines()
      if (source.take(']')) return list(items)
      if (source.peek() === ',') throw source.fail('unexpected comma')
      items.push(readValue(depth + 1, keys))
      source.skipLines()
      if (source.take(',')) continue
      if (source.take(']')) return list(items)
      throw source.fail(
        `expected a comma (',') or array terminator (']'), but got ${source.shownOrEnd()}`,
      )
    }
  }
  function inlineTable(depth: number, keys: readonly string[]): Value {
    source.take('{')
    const table = dict(new Map())
    source.skipLines()
    if (source.take('}')) return table
    for (;;) {
      source.skipLines()
      if (source.peek() === '}') break
      if (source.peek() === ',') throw source.fail('unexpected comma')
      pair(table, keys, depth + 1)
      source.skipLines()
      if (source.take(',')) continue
      if (source.peek() === '}') break
      const got = source.shownOrEnd()
      throw source.fail(
        `expected a comma or an inline table terminator '}', but got ${got} instead`,
      )
    }
    source.take('}')
    return table
  }

  for (source.skipLines(); source.peek() !== undefined; source.skipLines()) {
    if (source.peek() === '[') header()
    else {
      pair(current, path, 0)
      source.endPair()
    }
    endOfLine(source)
  }
  return root
}

function endOfLine(source: Cursor): void {
  source.skipBlanks()
  source.skipComment()
  const char = source.peek()
  if (char === undefined || char === '\n' || char === '\r') return
  throw source.fail(
    `expected a top-level item to end with a newline, comment, or EOF, but got ${source.shown()} instead`,
  )
}

function isTable(value: Value): value is Dict {
  return typeof value === 'object' && value !== null && value.kind === 'dict'
}

function dotted(keys: readonly string[]): string {
  return keys.map((key) => (/^[A-Za-z0-9_-]+$/.test(key) ? key : quote(key))).join('.')
}
