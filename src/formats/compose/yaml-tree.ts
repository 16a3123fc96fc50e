/** YAML text to trees: anchors, merge keys and the `!reset` and `!override` tags are resolved here, with a limit on what aliases may blow up to. */
import { isAlias, isMap, isScalar, isSeq, parseAllDocuments, type Pair, type YAMLMap } from 'yaml'
import { failure, problemAt, throwIfAny, type ComposeProblem } from './compose-error.ts'
import { list, map, nothing, text, type MapNode, type Node } from './node.ts'
import { positionAt, type Place, type Source } from './source.ts'
import { plainScalar, taggedScalar } from './yaml-scalar.ts'

/** `cleared` are the paths whose earlier definitions, from files before this one, are dropped. */
export type YamlDocument = { readonly root: Node; readonly cleared: readonly (readonly string[])[] }

/** Values in a document with its aliases written out; beyond this only an attack goes. */
const mostValues = 250_000
/** Deeper than any file a person writes, and shallow enough for every phase to recurse. */
const deepest = 200

export function parseYaml(source: Source): YamlDocument[] {
  checkCharacters(source)
  const documents = parseText(source)
  const anchors = new Map<string, Decoded | 'open'>()
  return documents.map((document) => {
    const reader: Reader = { source, anchors, way: [], uses: new Map() }
    const decoded = decode(reader, document, -1, false, 0)
    return {
      root: decoded.node ?? nothing({ source, offset: 0, key: -1 }),
      cleared: decoded.marks.map((mark) => mark.path),
    }
  })
}

type Reader = {
  readonly source: Source
  readonly anchors: Map<string, Decoded | 'open'>
  /** the keys from the root to where the reader is */
  readonly way: string[]
  /** where the aliases of an anchor stand */
  readonly uses: Map<Decoded, AliasUses>
}
/** `isReset` marks are taken once, where the anchor stands; an alias to it finds nothing left to reset. */
type Mark = { readonly path: readonly string[]; readonly isReset: boolean }
/** `node` is undefined for a value tagged `!reset`: it is as if it had not been written. */
type Decoded = {
  readonly node: Node | undefined
  readonly marks: readonly Mark[]
  readonly size: number
}

const noMarks: readonly Mark[] = []

/** Characters that YAML forbids; the parser below would let them through. */
function checkCharacters(source: Source): void {
  // oxlint-disable-next-line no-control-regex
  const found = /[^\t\n\r\u0020-\u007E\u0085\u00A0-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.exec(
    source.text,
  )
  if (found === null) return
  const place = { source, offset: found.index, key: -1 }
  throw failure(
    place,
    'a control character is not allowed in YAML',
    'remove it, or write it escaped in double quotes',
  )
}

function parseText(source: Source): unknown[] {
  const documents = parseAllDocuments(source.text, {
    schema: 'failsafe',
    uniqueKeys: false,
    prettyErrors: false,
  })
  if (!Array.isArray(documents)) return []
  const problems = new Map<number, ComposeProblem>()
  for (const { errors } of documents) {
    for (const { message, pos } of errors) {
      const offset = Math.min(pos[0], source.text.length)
      if (problems.has(offset)) continue
      const why = message.startsWith('Maximum call stack') ? 'nested too deep' : message
      problems.set(offset, problemAt({ source, offset, key: -1 }, `not valid YAML: ${why}`))
    }
  }
  throwIfAny([...problems.values()].slice(0, 10))
  return documents.map((document) => document.contents)
}

function decode(
  reader: Reader,
  yaml: unknown,
  key: number,
  isLiteral: boolean,
  depth: number,
): Decoded {
  const { source, anchors } = reader
  if (isAlias(yaml)) {
    const place = { source, offset: yaml.range?.[0] ?? 0, key }
    return aliased(reader, yaml.source, place)
  }
  if (!isScalar(yaml) && !isMap(yaml) && !isSeq(yaml)) {
    return { node: nothing({ source, offset: Math.max(key, 0), key }), marks: noMarks, size: 1 }
  }
  const place = { source, offset: yaml.range?.[0] ?? 0, key }
  if (depth > deepest) throw failure(place, `nested more than ${deepest} levels deep`)
  if (yaml.anchor !== undefined) anchors.set(yaml.anchor, 'open')
  const decoded = taggedValue(reader, yaml, place, isLiteral, depth)
  if (decoded.size > mostValues) {
    throw failure(
      place,
      `aliases make this more than ${mostValues} values`,
      'use fewer nested aliases',
    )
  }
  if (yaml.anchor !== undefined) anchors.set(yaml.anchor, decoded)
  return decoded
}

function aliased(reader: Reader, name: string, place: Place): Decoded {
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
  return { node: { ...node, place }, marks: marks.filter((mark) => !mark.isReset), size }
}

type AliasUses = { readonly paths: Set<string>; readonly above: Map<string, string> }

/** Paths are compared as dotted texts, as the reference does; it refuses an alias below another alias of the same anchor. */
function overlappingUse(reader: Reader, anchor: Decoded): string | undefined {
  const uses = reader.uses.get(anchor) ?? { paths: new Set(), above: new Map() }
  reader.uses.set(anchor, uses)
  const keys = reader.way
    .filter((key) => key !== '<<')
    .join('.')
    .split('.')
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

/** Inside `!override` everything is taken as it stands, tags included. */
function taggedValue(
  reader: Reader,
  yaml: unknown,
  place: Place,
  isLiteral: boolean,
  depth: number,
): Decoded {
  const tag = isScalar(yaml) || isMap(yaml) || isSeq(yaml) ? yaml.tag : undefined
  if (tag === '!reset' && !isLiteral) {
    return { node: undefined, marks: [{ path: [], isReset: true }], size: 1 }
  }
  if (tag === '!override' && !isLiteral) {
    const decoded = value(reader, yaml, place, true, depth)
    return { ...decoded, marks: [{ path: [], isReset: false }] }
  }
  return value(reader, yaml, place, isLiteral, depth)
}

function value(
  reader: Reader,
  yaml: unknown,
  place: Place,
  isLiteral: boolean,
  depth: number,
): Decoded {
  if (isMap(yaml)) return mapping(reader, yaml, place, isLiteral, depth)
  if (isSeq(yaml)) {
    const items: Node[] = []
    let size = 1
    for (const [index, item] of yaml.items.entries()) {
      reader.way.push(String(index))
      const decoded = decode(reader, item, -1, isLiteral, depth + 1)
      reader.way.pop()
      size += decoded.size
      if (decoded.node !== undefined) items.push(decoded.node)
    }
    return { node: list(items, place), marks: noMarks, size }
  }
  return { node: scalar(yaml, place), marks: noMarks, size: 1 }
}

function scalar(yaml: unknown, place: Place): Node {
  if (!isScalar(yaml)) return nothing(place)
  const content = typeof yaml.value === 'string' ? yaml.value : ''
  if (yaml.tag !== undefined && yaml.tag !== '!') {
    const tagged = taggedScalar(yaml.tag, content, place)
    if (tagged === undefined)
      throw failure(place, `"${content}" is not of the type that its tag says`)
    return tagged
  }
  return yaml.type === 'PLAIN' && yaml.tag !== '!'
    ? plainScalar(content, place)
    : text(content, place)
}

function mapping(
  reader: Reader,
  yaml: YAMLMap,
  place: Place,
  isLiteral: boolean,
  depth: number,
): Decoded {
  const entries = new Map<string, Node>()
  const firsts = new Map<string, Place>()
  const merges: Decoded[] = []
  const marks: Mark[] = []
  let size = 1
  for (const pair of yaml.items) {
    const key = keyOf(reader, pair, firsts)
    reader.way.push(key.name)
    const decoded = decode(reader, pair.value, key.place.offset, isLiteral, depth + 1)
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

type Key = { readonly name: string; readonly isMerge: boolean; readonly place: Place }

function keyOf(reader: Reader, pair: Pair, firsts: Map<string, Place>): Key {
  const { source } = reader
  const yaml: unknown = pair.key
  if (!isScalar(yaml)) {
    const offset = isMap(yaml) || isSeq(yaml) || isAlias(yaml) ? (yaml.range?.[0] ?? 0) : 0
    throw failure({ source, offset, key: -1 }, 'a key must be plain text')
  }
  const place = { source, offset: yaml.range?.[0] ?? 0, key: -1 }
  const name = typeof yaml.value === 'string' ? yaml.value : ''
  const first = firsts.get(name)
  if (first !== undefined) {
    const line = positionAt(first).line
    throw failure(
      place,
      `the key "${name}" is already defined at line ${line}`,
      'keep one of the two',
    )
  }
  firsts.set(name, place)
  const isMerge = name === '<<' && yaml.type === 'PLAIN' && yaml.tag === undefined
  if (!isMerge && scalar(yaml, place).kind !== 'text') {
    throw failure(
      place,
      `the key ${name === '' ? '(nothing)' : name} is not text`,
      `write it in quotes: "${name}"`,
    )
  }
  return { name, isMerge, place }
}
