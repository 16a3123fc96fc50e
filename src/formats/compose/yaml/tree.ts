/** YAML text to trees: anchors, merge keys and the `!reset` and `!override` tags are resolved here, with a limit on what aliases may blow up to. */
import { failure } from '../compose-error.ts'
import { list, map, nothing, text, type MapNode, type Node } from './node.ts'
import type { Release } from '../canonical/release.ts'
import { positionAt, type SourceLocation, type Source } from './source.ts'
import { plainScalar, taggedScalar } from './scalar.ts'
import {
  parseSyntax,
  type Pair,
  type Syntax,
  type SyntaxMap,
  type SyntaxScalar,
} from '#formats/go-yaml/syntax.ts'
import { YamlSyntaxError } from '#formats/go-yaml/yaml-syntax-error.ts'

/** `cleared` are the paths whose earlier definitions, from files before this one, are dropped. */
export type YamlDocument = { readonly root: Node; readonly cleared: readonly (readonly string[])[] }

/** Values in a document with its aliases written out; beyond this only an attack goes. */
const mostValues = 250_000

export function parseYaml(source: Source, release: Release = 5): YamlDocument[] {
  const documents = syntaxOf(source)
  const anchors = new Map<string, Decoded | 'open'>()
  return documents.map((document) => {
    const reader: Reader = { source, release, anchors, way: [], uses: new Map() }
    const decoded = decode(reader, document, -1, false)
    return {
      root: decoded.node ?? nothing({ source, offset: 0, key: -1 }),
      cleared: decoded.marks.map((mark) => mark.path),
    }
  })
}

function syntaxOf(source: Source): readonly Syntax[] {
  try {
    return parseSyntax(source.text)
  } catch (error) {
    if (!(error instanceof YamlSyntaxError)) throw error
    const { offset, message, advice } = error
    throw failure({ source, offset, key: -1 }, `not valid YAML: ${message}`, advice)
  }
}

type Reader = {
  readonly source: Source
  readonly release: Release
  readonly anchors: Map<string, Decoded | 'open'>
  /** the keys from the root to where the reader is */
  readonly way: string[]
  /** where the aliases of an anchor stand */
  readonly uses: Map<Decoded, AliasUses>
}
/** In release 2 `isReset` marks are taken once, where the anchor stands; an alias to it finds nothing left to reset. */
type Mark = { readonly path: readonly string[]; readonly isReset: boolean }
/** `node` is undefined for a value tagged `!reset`: it is as if it had not been written. */
type Decoded = {
  readonly node: Node | undefined
  readonly marks: readonly Mark[]
  readonly size: number
}

const noMarks: readonly Mark[] = []

function decode(reader: Reader, syntax: Syntax, key: number, isLiteral: boolean): Decoded {
  const { source, anchors } = reader
  const place = { source, offset: syntax.offset, key }
  if (syntax.kind === 'alias') return aliased(reader, syntax.name, place)
  const { anchor } = syntax
  if (anchor !== '') anchors.set(anchor, 'open')
  const decoded = taggedValue(reader, syntax, place, isLiteral)
  if (decoded.size > mostValues) {
    throw failure(
      place,
      `aliases make this more than ${mostValues} values`,
      'use fewer nested aliases',
    )
  }
  if (anchor !== '') anchors.set(anchor, decoded)
  return decoded
}

function aliased(reader: Reader, name: string, place: SourceLocation): Decoded {
  const anchor = reader.anchors.get(name)
  if (anchor === undefined) throw failure(place, `there is no anchor "${name}" above this alias`)
  if (anchor === 'open') throw failure(place, `the anchor "${name}" contains itself: a cycle`)
  const overlap = overlappingUse(reader, anchor)
  if (overlap !== undefined) {
    const message = `the alias "*${name}" at ${reader.way.join('.')} counts as part of the one at ${overlap}: a cycle`
    throw failure(
      place,
      message,
      'a dot in a key looks like a level below: rename one of the two keys',
    )
  }
  const { node, marks, size } = anchor
  if (node === undefined) return anchor
  const kept = reader.release === 2 ? marks.filter((mark) => !mark.isReset) : marks
  return { node: { ...node, place }, marks: kept, size }
}

type AliasUses = { readonly paths: Set<string>; readonly above: Map<string, string> }

/** The reference refuses an alias below another alias of the same anchor. Release 2 compares paths as dotted texts, dots of keys included. */
function overlappingUse(reader: Reader, anchor: Decoded): string | undefined {
  const uses = reader.uses.get(anchor) ?? { paths: new Set(), above: new Map() }
  reader.uses.set(anchor, uses)
  const way = reader.way.filter((key) => key !== '<<')
  const keys = reader.release === 2 ? way.join('.').split('.') : way.map(withoutDots)
  const path = keys.join('.')
  const below = uses.above.get(path)
  if (below !== undefined) return below
  for (let length = 1; length < keys.length; length++) {
    const above = keys.slice(0, length).join('.')
    if (uses.paths.has(above)) return above
    uses.above.set(above, path)
  }
  uses.paths.add(path)
  return undefined
}

function withoutDots(key: string): string {
  return key.replaceAll('.', '\0')
}

/** Inside `!override` everything is taken as it stands, tags included. */
function taggedValue(
  reader: Reader,
  syntax: Exclude<Syntax, { kind: 'alias' }>,
  place: SourceLocation,
  isLiteral: boolean,
): Decoded {
  if (syntax.tag === '!reset' && !isLiteral) {
    return { node: undefined, marks: [{ path: [], isReset: true }], size: 1 }
  }
  const isOverride = syntax.tag === '!override' && !isLiteral
  const decoded = value(reader, syntax, place, isLiteral || isOverride)
  return isOverride ? { ...decoded, marks: [{ path: [], isReset: false }] } : decoded
}

function value(
  reader: Reader,
  syntax: Exclude<Syntax, { kind: 'alias' }>,
  place: SourceLocation,
  isLiteral: boolean,
): Decoded {
  if (syntax.kind === 'map') return mapping(reader, syntax, place, isLiteral)
  if (syntax.kind === 'scalar') return { node: scalar(syntax, place), marks: noMarks, size: 1 }
  const items: Node[] = []
  let size = 1
  for (const [index, item] of syntax.items.entries()) {
    reader.way.push(String(index))
    const decoded = decode(reader, item, -1, isLiteral)
    reader.way.pop()
    size += decoded.size
    if (decoded.node !== undefined) items.push(decoded.node)
  }
  return { node: list(items, place), marks: noMarks, size }
}

function scalar(syntax: SyntaxScalar, place: SourceLocation): Node {
  const { tag, value: content } = syntax
  if (tag === '' || tag === '!')
    return syntax.style === 'plain' ? plainScalar(content, place) : text(content, place)
  const tagged = taggedScalar(tag, content, place)
  if (tagged !== undefined) return tagged
  throw failure(place, `"${content}" is not of the type that its tag says`)
}

function mapping(
  reader: Reader,
  syntax: SyntaxMap,
  place: SourceLocation,
  isLiteral: boolean,
): Decoded {
  const entries = new Map<string, Node>()
  const firsts = new Map<string, SourceLocation>()
  const merges: Decoded[] = []
  const marks: Mark[] = []
  let size = 1
  for (const pair of syntax.pairs) {
    const key = keyOf(reader, pair, firsts)
    reader.way.push(key.name)
    const decoded = decode(reader, pair.value, key.place.offset, isLiteral)
    reader.way.pop()
    size += decoded.size
    if (key.isMerge) {
      merges.push(decoded)
      continue
    }
    for (const mark of decoded.marks) marks.push({ ...mark, path: [key.name, ...mark.path] })
    if (decoded.node !== undefined) entries.set(key.name, decoded.node)
  }
  for (const { node, marks: inner } of merges) {
    if (node === undefined) continue
    for (const source of mergeSources(node)) {
      for (const [name, entry] of source.entries) if (!entries.has(name)) entries.set(name, entry)
    }
    marks.push(...inner)
  }
  return { node: map(entries, place), marks, size }
}

function mergeSources(node: Node): MapNode[] {
  const sources = node.kind === 'list' ? node.items : [node]
  return sources.map((source) => {
    if (source.kind === 'map') return source
    throw failure(source.place, 'a merge key (<<) takes a mapping or a list of mappings')
  })
}

type Key = { readonly name: string; readonly isMerge: boolean; readonly place: SourceLocation }

function keyOf(reader: Reader, { key }: Pair, firsts: Map<string, SourceLocation>): Key {
  const place = { source: reader.source, offset: key.offset, key: -1 }
  if (key.kind !== 'scalar') throw failure(place, 'a key must be plain text')
  const name = key.value
  const first = firsts.get(name)
  if (first !== undefined) {
    const { line } = positionAt(first)
    throw failure(
      place,
      `the key "${name}" is already defined at line ${line}`,
      'keep one of the two',
    )
  }
  firsts.set(name, place)
  const isMerge = name === '<<' && key.style === 'plain' && (key.tag === '' || key.tag === '!')
  if (!isMerge && scalar(key, place).kind !== 'text') {
    throw failure(
      place,
      `the key ${name === '' ? '(nothing)' : name} is not text`,
      `write it in quotes: "${name}"`,
    )
  }
  return { name, isMerge, place }
}
