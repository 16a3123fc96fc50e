/** Writes a value inside a text that is itself YAML or JSON: a file in a ConfigMap, an annotation. */
import { withComments } from '../yaml/comments.ts'
import { KustomizeError } from '../error.ts'
import { lookup } from '../yaml/fields.ts'
import { type Kind, type Node, copyOf, overwrite } from '../yaml/node.ts'
import { parseOne } from '../yaml/parse.ts'
import { matches } from './path-matcher.ts'
import { type Plain, byBytes, jsonOf, plainOf } from '../yaml/plain.ts'
import { printNode } from '../print/print-node.ts'
import { defined } from '#model/defined.ts'

/** False when the path does not lead into a text, or what it names is not there: then nothing is changed. */
export function setInText(
  node: Node,
  value: Node,
  path: readonly string[],
  create: Kind | undefined,
): boolean {
  try {
    return write(node, value, path, create)
  } catch (error) {
    if (error instanceof KustomizeError) return false
    throw error
  }
}

function write(
  node: Node,
  value: Node,
  path: readonly string[],
  create: Kind | undefined,
): boolean {
  const found = textOn(node, path)
  if (found === undefined) return false
  const { holder, rest } = found
  const bare = parseOne(holder.value, '', 'new')
  if (bare === undefined) return false
  const inner = withComments(bare, holder.value)
  const fields = matches(inner, rest, create) ?? []
  if (fields.length === 0) return false
  for (const field of fields) {
    if (field.kind === 'scalar') field.value = value.value
    else overwrite(field, copyOf(value))
  }
  holder.value = /^[{[]/.test(holder.value.trim())
    ? asJson(plainOf(inner), holder.value)
    : printNode(inner).trim()
  return true
}

/** The first field on the way that is a text, and the rest of the path. */
function textOn(node: Node, path: readonly string[]) {
  for (let i = 1; i < path.length; i++) {
    const holder = safely(() => lookup(node, path.slice(0, i)))
    if (holder?.kind !== 'scalar') continue
    if (safely(() => parseOne(holder.value, '', 'new') ?? holder) === undefined) continue
    return { holder, rest: path.slice(i) }
  }
  return undefined
}

function safely<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof KustomizeError) return undefined
    throw error
  }
}

/** In lines if it was in lines. */
function asJson(value: Plain, before: string): string {
  return before.includes('\n') && before.includes('  ') ? pretty(value, '') : jsonOf(value)
}

function pretty(value: Plain, margin: string): string {
  const inner = `${margin}  `
  if (Array.isArray(value) && value.length > 0) {
    return `[\n${value.map((item) => inner + pretty(item, inner)).join(',\n')}\n${margin}]`
  }
  if (value instanceof Map && value.size > 0) {
    const keys = [...value.keys()].toSorted(byBytes)
    const lines = keys.map(
      (key) => `${inner}${jsonOf(key)}: ${pretty(defined(value.get(key)), inner)}`,
    )
    return `{\n${lines.join(',\n')}\n${margin}}`
  }
  return jsonOf(value)
}
