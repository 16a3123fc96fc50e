/** Reads YAML text of one or several documents into plain data that knows where every key and value stands. */
import { LineCounter, parseAllDocuments, type Document } from 'yaml'
import { findNode, unresolvedAlias, type YamlPath } from './find-node.ts'

/** Lines and columns from 1. */
export type Position = { readonly line: number; readonly column: number }

export type YamlError = Position & { readonly message: string }

export type YamlDocument = {
  /** Plain data: null, booleans, numbers, texts, lists, maps. */
  readonly value: unknown
  /** Where its content begins. */
  readonly at: Position
  /** Where a value begins; of what the path leads to last, when it leads nowhere. */
  valueAt(path: YamlPath): Position
  /** Where the key of a map's entry begins; the value's place for a list's item. */
  keyAt(path: YamlPath): Position
  /** How a scalar is written: `0644`, where the value is the number 644. */
  sourceOf(path: YamlPath): string | undefined
  /** Offsets in the text of a value, anchors' own place for an alias too. */
  rangesOf(path: YamlPath): readonly { readonly start: number; readonly end: number }[]
}

export type YamlRead = {
  readonly documents: readonly YamlDocument[]
  readonly errors: readonly YamlError[]
}

/** Aliases may multiply a document's size; past this many the reading stops. */
const maxAliasCount = 100

/**
 * YAML 1.2, so `no` is a text; merge keys are understood, as every chart's author expects. A key that is there twice is
 * an error, and so is an unknown tag. A document with an error is left out: half a document is worse than none.
 */
export function readYaml(text: string): YamlRead {
  const lines = new LineCounter()
  try {
    const found = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, merge: true })
    const documents: YamlDocument[] = []
    const errors: YamlError[] = []
    for (const document of found) {
      const wrong = errorsOf(document, text, lines)
      if (wrong.length > 0) errors.push(...wrong)
      else documents.push(readable(document, lines))
    }
    return { documents, errors }
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown
    return { documents: [], errors: [{ line: 1, column: 1, message: 'nested too deeply' }] }
  }
}

function errorsOf(document: Document.Parsed, text: string, lines: LineCounter): YamlError[] {
  const found = [...document.errors, ...document.warnings].map((error) => {
    const [start, end] = error.pos
    const at = position(lines, start)
    if (error.code !== 'DUPLICATE_KEY') return { ...at, message: plain(error.message) }
    const key = /^[^\s:]*/.exec(text.slice(start, Math.max(end, start + 80)))?.[0] ?? ''
    return { ...at, message: `the key ${key} is there twice` }
  })
  if (found.length > 0) return found
  const alias = unresolvedAlias(document)
  if (alias !== undefined) {
    return [{ ...position(lines, alias.offset), message: `nothing has the anchor &${alias.name}` }]
  }
  try {
    document.toJS({ maxAliasCount })
    return []
  } catch (thrown) {
    if (!(thrown instanceof ReferenceError)) throw thrown
    const message = `aliases are used more than ${maxAliasCount} times over`
    return [{ ...position(lines, document.contents?.range?.[0] ?? 0), message }]
  }
}

function plain(message: string): string {
  return message.slice(0, 1).toLowerCase() + message.slice(1)
}

function position(lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset)
  return { line: Math.max(line, 1), column: Math.max(col, 1) }
}

function readable(document: Document.Parsed, lines: LineCounter): YamlDocument {
  const start = document.contents?.range?.[0] ?? document.range[0]
  return {
    value: document.toJS({ maxAliasCount }) ?? null,
    at: position(lines, start),
    valueAt: (path) => position(lines, findNode(document, path).valueOffset ?? start),
    keyAt: (path) => position(lines, findNode(document, path).keyOffset ?? start),
    sourceOf: (path) => findNode(document, path).source,
    rangesOf: (path) => findNode(document, path).ranges,
  }
}
