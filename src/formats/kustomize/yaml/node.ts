/** The tree every step works on: YAML nodes with tag and style as written, since both decide what is printed. */
import { defined } from '#model/defined.ts'

export type Kind = 'map' | 'list' | 'scalar'

/** `content` holds items, or for a map keys and values in turn. An empty tag means: decided by the text. */
export type Node = {
  kind: Kind
  tag: string
  value: string
  style: number
  content: Node[]
  line: number
  comments?: Comments
}

export type Comments = { readonly head: string; readonly line: string; readonly foot: string }

/** Bits of `style`. */
export const tagged = 1
export const doubleQuoted = 2
export const singleQuoted = 4
export const literal = 8
export const folded = 16
export const flow = 32
/** Any style in which a scalar is text, whatever it looks like. */
export const textual = doubleQuoted | singleQuoted | literal | folded

/** A comment on the line of a key whose value stands below it. */
export const keyNote: Comments = { head: '', line: '#', foot: '' }

export const nullTag = '!!null'
export const textTag = '!!str'

/** The content of everything that has none; whatever adds to a node goes through `push`. */
export const none: Node[] = []
Object.freeze(none)

export function push(node: Node, ...items: readonly Node[]): void {
  if (node.content === none) node.content = [...items]
  else node.content.push(...items)
}

/** Adds a field to a map. */
export function pushPair(map: Node, key: Node, value: Node): void {
  if (map.content === none) map.content = [key, value]
  else map.content.push(key, value)
}

export function scalar(value: string, tag = '', style = 0): Node {
  return { kind: 'scalar', tag, value, style, content: none, line: 0 }
}

/** A scalar that is text for sure; with line breaks it is written as a block. */
export function text(value: string): Node {
  return scalar(value, textTag, value.includes('\n') ? literal : 0)
}

export function emptyNode(kind: Kind): Node {
  return { kind, tag: '', value: '', style: 0, content: none, line: 0 }
}

export function copyOf(node: Node): Node {
  return { ...node, content: node.content.length === 0 ? none : node.content.map(copyOf) }
}

/** Makes `target` what `source` is, so that whoever holds `target` sees it. */
export function overwrite(target: Node, source: Node): void {
  target.kind = source.kind
  target.tag = source.tag
  target.value = source.value
  target.style = source.style
  target.content = source.content
  if (source.comments !== undefined) target.comments = source.comments
}

export function isNull(node: Node | undefined): boolean {
  return node === undefined || node.tag === nullTag
}

export function isEmptyMap(node: Node | undefined): boolean {
  return isNull(node) || (defined(node).kind === 'map' && defined(node).content.length === 0)
}

export function isNullOrEmpty(node: Node | undefined): boolean {
  if (node === undefined || node.tag === nullTag) return true
  return node.kind !== 'scalar' && node.content.length === 0
}

/** A scalar that is text, or whose type is still open. */
export function isText(node: Node): boolean {
  return node.kind === 'scalar' && (node.tag === textTag || node.tag === '')
}

/** The text of a scalar; null and absent have none. */
export function valueOf(node: Node | undefined): string {
  return isNull(node) ? '' : defined(node).value
}
