/** The suffix that a generated name gets from its content, so that new content is a new object. */
import { createHash } from 'node:crypto'
import { at, fail } from '../error.ts'
import { field } from '../yaml/fields.ts'
import type { Node } from '../yaml/node.ts'
import { type Plain, jsonOf, plainOf } from '../yaml/plain.ts'
import type { ResourceSet } from '../load/resource-set.ts'
import { isNoted, kindOf, nameIn, notes, setName, storePreviousId } from '../load/resource.ts'
import { defined } from '#model/defined.ts'

export function addHashes(set: ResourceSet): void {
  for (const resource of set.list) {
    if (!isNoted(resource, notes.needsHash)) continue
    const hash = at(resource.place, () => hashOf(resource.node))
    storePreviousId(resource)
    setName(resource.node, `${nameIn(resource.node)}-${hash}`)
  }
}

function hashOf(node: Node): string {
  const kind = kindOf(node)
  if (kind === 'ConfigMap') return encoded(content(node, kind, ['data'], 'binaryData'))
  if (kind === 'Secret') return encoded(content(node, kind, ['type', 'data'], 'stringData'))
  return fail(`only ConfigMaps and Secrets have a hash, not a ${kind}`)
}

/** The name has its place in it and is always empty. */
function content(node: Node, kind: string, names: readonly string[], extra: string): string {
  const map = new Map<string, Plain>([
    ['kind', kind],
    ['name', ''],
  ])
  for (const name of names) map.set(name, valueIn(node, name))
  const more = valueIn(node, extra)
  if (more instanceof Map) map.set(extra, more)
  return jsonOf(map)
}

function valueIn(node: Node, name: string): Plain {
  const found = field(node, name)
  if (found === undefined) return ''
  if (found.kind === 'scalar') return found.value
  const plain = plainOf(found)
  return plain instanceof Map ? asFloats(plain) : null
}

/** JSON that is read back has only floating-point numbers. */
function asFloats(value: Plain): Plain {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(asFloats)
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [key, asFloats(item)]))
  return value
}

const letters = new Map([
  ['0', 'g'],
  ['1', 'h'],
  ['3', 'k'],
  ['a', 'm'],
  ['e', 't'],
])

/** Ten digits, without those that could form words. */
function encoded(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex').slice(0, 10)
  return hex.replace(/[013ae]/g, (digit) => defined(letters.get(digit)))
}
