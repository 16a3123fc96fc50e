/** YAML text to values: the parser is the yaml package, the meaning of scalars and merges is go-yaml's. */
import {
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  parseAllDocuments,
  type Node,
} from 'yaml'
import type { Budget } from '../budget.ts'
import { toBytes, toText } from '../bytes.ts'
import { GoError } from '../errors.ts'
import { formatFloat } from '../fmt/float.ts'
import { dict, list, type Dict, type Value } from '../values.ts'
import { yamlProblem } from './problem.ts'
import { resolvePlain } from './resolve.ts'

type EmptyStream = Extract<ReturnType<typeof parseAllDocuments>, { empty: true }>
type Documents = Exclude<ReturnType<typeof parseAllDocuments>, EmptyStream>

/** The first document, as sigs.k8s.io/yaml gives it: by way of JSON, so numbers are floats and keys are strings. */
export function readYaml(bytes: string, budget: Budget): Value {
  budget.text(bytes)
  const text = toText(bytes)
  const documents = parsed(text)
  const [document] = 'empty' in documents ? [] : documents
  if (document === undefined) return null
  const { contents } = document
  const problem = document.errors.find(({ message, pos }) => !isAfter(contents, message, pos[0]))
  if (problem !== undefined) {
    const said = yamlProblem(problem, text, isSeq(contents))
    throw new GoError(`error converting YAML to JSON: ${said}`)
  }
  return reader(document, budget)(document.contents, 0)
}

/** go-yaml stops reading where a document in brackets or quotes ends, and does not see what follows. */
function isAfter(contents: unknown, message: string, position: number): boolean {
  if (!isNode(contents) || !message.endsWith('at node end')) return false
  const isEnclosed = isScalar(contents)
    ? contents.type !== 'PLAIN'
    : isCollection(contents) && contents.flow === true
  return isEnclosed && position >= (contents.range?.[1] ?? Number.POSITIVE_INFINITY)
}

/** A parser that gives up with an error of its own still means YAML that cannot be read. */
function parsed(text: string): Documents | EmptyStream {
  try {
    return parseAllDocuments(text, {
      schema: 'failsafe',
      version: '1.1',
      uniqueKeys: false,
      merge: false,
      logLevel: 'silent',
      prettyErrors: false,
      strict: false,
    })
  } catch (error) {
    if (error instanceof RangeError) throw error
    throw failed(error instanceof Error ? error.message : String(error))
  }
}

function reader(
  document: Documents[number],
  budget: Budget,
): (node: unknown, depth: number) => Value {
  const open = new Set<unknown>()

  function read(node: unknown, depth: number): Value {
    budget.grow()
    budget.nest(depth)
    if (isAlias(node)) return aliased(node.source, node.resolve(document), depth)
    if (isScalar(node)) return scalar(node)
    if (isSeq(node)) return list(node.items.map((item) => read(item, depth + 1)))
    return isMap(node) ? map(node, depth) : null
  }
  function aliased(name: string, target: Node | undefined, depth: number): Value {
    if (target === undefined) throw failed(`unknown anchor '${name}' referenced`)
    if (open.has(target)) throw failed(`anchor '${name}' value contains itself`)
    open.add(target)
    const value = read(target, depth)
    open.delete(target)
    return value
  }
  function map(node: unknown, depth: number): Dict {
    const entries = new Map<string, Value>()
    const merges: unknown[] = []
    for (const pair of isMap(node) ? node.items : []) {
      if (!isPair(pair)) continue
      if (isMergeKey(pair.key)) merges.push(pair.value)
      else entries.set(keyText(read(pair.key, depth + 1)), read(pair.value, depth + 1))
    }
    for (const merge of merges) mergeInto(entries, merge, depth)
    return dict(entries)
  }
  /** What a merge brings never replaces what is written there. */
  function mergeInto(entries: Map<string, Value>, node: unknown, depth: number): void {
    const value = read(node, depth + 1)
    const sources = typeof value === 'object' && value?.kind === 'list' ? value.items : [value]
    for (const source of sources) {
      if (typeof source !== 'object' || source?.kind !== 'dict') {
        throw failed('map merge requires map or sequence of maps as the value')
      }
      for (const [key, held] of source.entries) if (!entries.has(key)) entries.set(key, held)
    }
  }
  return read
}

function failed(problem: string): GoError {
  return new GoError(`error converting YAML to JSON: yaml: ${problem}`)
}

function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.type === 'PLAIN' && key.source === '<<'
}

function scalar(node: { type?: unknown; value: unknown; tag?: string | undefined }): Value {
  const text = toBytes(typeof node.value === 'string' ? node.value : '')
  const tag = node.tag?.replace('tag:yaml.org,2002:', '!!')
  if (tag === '!!binary') return Buffer.from(text, 'base64').toString('latin1')
  if ((node.type !== 'PLAIN' && tag === undefined) || tag === '!!str' || tag === '!') return text
  if (tag !== undefined && !/^!!(?:null|bool|int|float)$/.test(tag)) return text
  const found = resolvePlain(text, 2)
  if (tag === '!!float' && found.tag === 'int') return Number(found.value)
  switch (found.tag) {
    case 'null':
      return null
    case 'bool':
      return found.value
    case 'float':
      if (Number.isFinite(found.value)) return found.value
      throw new GoError(
        `error converting YAML to JSON: json: unsupported value: ${formatFloat(found.value, 'g', -1)}`,
      )
    case 'int':
      return Number(found.value)
    case 'timestamp':
    case 'string':
      return text
  }
}

/** JSON knows string keys only: the others are written out. */
function keyText(key: Value): string {
  if (typeof key === 'string') return key
  if (typeof key === 'boolean') return String(key)
  if (typeof key === 'number')
    return Number.isInteger(key) ? String(BigInt(key)) : formatFloat(key, 'g', -1)
  if (key === null) return 'null'
  const type =
    typeof key === 'object' && key.kind === 'list'
      ? '[]interface {}'
      : 'map[interface {}]interface {}'
  throw new GoError(`error converting YAML to JSON: yaml: invalid map key: ${type}`)
}
