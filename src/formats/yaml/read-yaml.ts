/** Reads YAML text of one or several documents into plain data that knows where every key and value stands. */
import { parseAllDocuments, type Document } from 'yaml'
import { findNode, type YamlPath } from './find-node.ts'
import { linkAliases, type Linked } from './link-aliases.ts'
import { plainWords } from './plain-messages.ts'
import { placing, type Placing, type Position } from './placing.ts'

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
  // The parser's own counter stops where an error stopped it.
  const place = placing(text)
  try {
    const found = parseAllDocuments(text, { prettyErrors: false, merge: true, uniqueKeys: false })
    const documents: YamlDocument[] = []
    const errors: YamlError[] = []
    for (const document of found) {
      const linked = linkAliases(document)
      const wrong = syntaxErrors(document, linked, text, place)
      const data = wrong.length > 0 ? undefined : dataOf(document, linked, place)
      errors.push(...wrong)
      if (data === undefined) continue
      if ('message' in data) errors.push(data)
      else documents.push(readable(document, data.value, place))
    }
    return { documents, errors }
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown
    return { documents: [], errors: [{ ...place(0), message: 'nested too deeply' }] }
  }
}

function syntaxErrors(
  document: Document.Parsed,
  { duplicates, collectionKeys }: Linked,
  text: string,
  place: Placing,
): YamlError[] {
  const errors = [...document.errors, ...document.warnings].map(({ pos, message }) => {
    return { ...place(pos[0]), message: plainWords(message) }
  })
  const twice = duplicates.map((start) => {
    const key = /^[^\s:]*/.exec(text.slice(start, start + 80))?.[0] ?? ''
    return { ...place(start), message: `the key ${key} is there twice` }
  })
  const unfit = collectionKeys.map((start) => {
    return { ...place(start), message: 'a key must be a single value, not a map or a list' }
  })
  return [...errors, ...twice, ...unfit].toSorted((one, other) => one.offset - other.offset)
}

function dataOf(
  document: Document.Parsed,
  { unresolved: alias, endless, badMerge }: Linked,
  place: Placing,
): YamlError | { readonly value: unknown } {
  if (alias !== undefined) {
    return { ...place(alias.offset), message: `nothing has the anchor &${alias.name}` }
  }
  if (endless !== undefined) {
    return {
      ...place(endless.offset),
      message: `the alias *${endless.name} stands inside of what it means`,
    }
  }
  if (badMerge !== undefined) {
    return { ...place(badMerge), message: '<< takes a map, an alias of one, or a list of these' }
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount })
    return { value: value ?? null }
  } catch (thrown) {
    if (!(thrown instanceof ReferenceError)) throw thrown
    const message = `aliases are used more than ${maxAliasCount} times over`
    return { ...place(document.contents?.range?.[0] ?? 0), message }
  }
}

function readable(document: Document.Parsed, value: unknown, place: Placing): YamlDocument {
  const start = document.contents?.range?.[0] ?? document.range[0]
  return {
    value,
    at: place(start),
    valueAt: (path) => place(findNode(document, path).valueOffset ?? start),
    keyAt: (path) => place(findNode(document, path).keyOffset ?? start),
    sourceOf: (path) => findNode(document, path).source,
    rangesOf: (path) => findNode(document, path).ranges,
  }
}
