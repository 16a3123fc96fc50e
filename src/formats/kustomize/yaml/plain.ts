/** Nodes to plain data and back, by way of the text that Go's readers and writers would pass between them. */
import { fail } from '../error.ts'
import { choices } from '../print/quoting.ts'
import { jsonNumber, shortest } from './numbers.ts'
import { type Scalar, resolve, resolveOld } from './scalar.ts'
import {
  type Node,
  doubleQuoted,
  flow,
  isNullOrEmpty,
  folded,
  keyNote,
  literal,
  none,
  nullTag,
  singleQuoted,
  tagged,
  textTag,
  textual,
} from './node.ts'
import { defined } from '#model/defined.ts'

export type Plain = Scalar | Plain[] | PlainMap
export type PlainMap = Map<string, Plain>

/** What the node says. A map below the top with a key that is no text has no such form. */
export function plainOf(node: Node): Plain {
  return convert(node, false, true)
}

function convert(node: Node, isInFlow: boolean, isTop: boolean): Plain {
  if (node.kind === 'scalar') return scalarOf(node, isInFlow)
  const inside = isInFlow || (node.style & flow) !== 0
  if (node.kind === 'list') return node.content.map((item) => convert(item, inside, false))
  const map: PlainMap = new Map()
  for (let i = 0; i < node.content.length; i += 2) {
    const key = defined(node.content[i])
    if (key.kind !== 'scalar') fail('a key is a map or a list')
    if (key.tag === nullTag || (!isTop && !isTextKey(key)))
      fail(`the key ${key.value || 'null'} is no text; quote it`)
    if (map.has(key.value)) fail(`the key ${key.value} occurs twice in one map`)
    const value = defined(node.content[i + 1])
    if (key.comments === keyNote && value.kind !== 'scalar' && (inside || isNullOrEmpty(value))) {
      fail(`there is no place left for the comment after ${key.value}`)
    }
    map.set(key.value, convert(value, inside, false))
  }
  return map
}

function isTextKey(key: Node): boolean {
  if (key.kind !== 'scalar') return false
  if (key.tag === textTag) return true
  if (key.tag === '' && (key.style & textual) !== 0) return true
  return key.tag === '' && (resolve(key.value)[0] === textTag || key.value.includes('\n'))
}

/** What a node read by the older reader says: keys of any type become text, dates stay as they are. */
export function plainOfSettings(node: Node): Plain {
  if (node.kind === 'list') return node.content.map(plainOfSettings)
  if (node.kind === 'scalar') return settingOf(node)
  const map: PlainMap = new Map()
  for (let i = 0; i < node.content.length; i += 2) {
    map.set(settingKey(defined(node.content[i])), plainOfSettings(defined(node.content[i + 1])))
  }
  return map
}

function settingOf(node: Node): Scalar {
  if (node.tag === textTag || node.tag === '!!timestamp') return node.value
  const [found, meaning] = resolveOld(node.value)
  return explicit(node.tag, node.value, found, meaning)
}

/** A key as text: `yes` is true, 0x10 is 16. */
export function settingKey(key: Node): string {
  if (key.kind !== 'scalar') return fail('a key is a map or a list')
  const value = settingOf(key)
  if (value === null) return fail('a key is null')
  return typeof value === 'number' && key.tag === '!!float' ? shortest(value) : String(value)
}

/** Style can outweigh type: a number in the quotes of the text it replaced is text. */
function scalarOf(node: Node, isInFlow: boolean): Scalar {
  const { tag, value, style } = node
  if ((style & (literal | folded)) !== 0 || value.includes('\n'))
    refuseLeadingTab(value, style, isInFlow)
  if (tag === textTag || (tag === '' && (style & textual) !== 0)) {
    return (style & folded) !== 0 && !isInFlow ? refolded(value) : value
  }
  if (value === '' && isInFlow && (tag === '' || tag === nullTag)) return value
  if (tag === '') {
    return value.includes('\n') ? value : resolve(value)[1]
  }
  const [found, meaning] = resolve(value)
  if ((style & tagged) === 0 && found === tag) {
    if ((style & textual) !== 0 || value.includes('\n')) return value
    return meaning
  }
  return explicit(tag, value, found, meaning)
}

function explicit(tag: string, value: string, found: string, meaning: Scalar): Scalar {
  if (tag === '!!binary') return Buffer.from(value, 'base64').toString('utf8')
  if (!['!!bool', '!!int', '!!float', '!!null', '!!timestamp'].includes(tag)) return value
  if (found === tag) return meaning
  if (tag === '!!float' && found === '!!int') return Number(meaning)
  return fail(`${JSON.stringify(value)} is no ${tag.slice(2)}`)
}

/** Go's writer makes a block of such a text, which its reader then refuses; the result would be no valid YAML either. */
function refuseLeadingTab(value: string, style: number, isInFlow: boolean): void {
  if (!value.startsWith('\t') || isInFlow || (style & (doubleQuoted | singleQuoted)) !== 0) return
  if (choices(value, 'new').block) fail('a text of several lines starts with a tab')
}

/** Go's writer folds texts with indented lines in such a way that its reader finds more line breaks. */
function refolded(value: string): string {
  if (!value.includes('\n') || !choices(value, 'new').block) return value
  const startsBlank = /^\n*(?:[ \t]|$)/.test(value)
  const begin = /^\n*/.exec(value)?.[0] ?? ''
  const bare = value.slice(begin.length).replace(/(?<!\n)\n+$/, '')
  const lines = bare.split(/(\n+)/)
  let text = begin + defined(lines[0])
  for (let i = 1; i < lines.length; i += 2) {
    const [before, breaks, after] = [
      defined(lines[i - 1]),
      defined(lines[i]),
      defined(lines[i + 1]),
    ]
    const written = breaks.length + (startsBlank || isIndented(before) ? 0 : 1)
    const isFolded = !isIndented(before) && !isIndented(after)
    text += isFolded && written === 1 ? ' ' : '\n'.repeat(isFolded ? written - 1 : written)
    text += after
  }
  const end = value.length - begin.length - bare.length
  const isLonger = end > 1 && !startsBlank && !isIndented(defined(lines.at(-1)))
  return text + '\n'.repeat(isLonger ? end + 1 : end)
}

function isIndented(line: string): boolean {
  return line.startsWith(' ') || line.startsWith('\t')
}

/** As if written to YAML and read again: numbers become floating point on the way. */
export function nodeOfPlain(value: Plain): Node {
  const node: Node = { kind: 'scalar', tag: '', value: '', style: 0, content: none, line: 0 }
  if (Array.isArray(value)) {
    return { ...node, kind: 'list', tag: '!!seq', content: value.map(nodeOfPlain) }
  }
  if (value instanceof Map) {
    const content: Node[] = []
    for (const [key, item] of value) content.push(textNode(key), nodeOfPlain(item))
    return { ...node, kind: 'map', tag: '!!map', content }
  }
  if (typeof value === 'string') return textNode(value)
  if (value === null) return { ...node, tag: nullTag, value: 'null' }
  if (typeof value === 'boolean') return { ...node, tag: '!!bool', value: String(value) }
  const number = shortest(Number(value))
  return { ...node, tag: resolve(number)[0], value: number }
}

const oldBoolean = /^(?:[yYnN]|[yY]es|YES|[oO]n|ON|[nN]o|NO|[oO]ff|OFF)$/
const sexagesimal = /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/

/** A text as it stands after being written and read. */
function textNode(value: string): Node {
  const node: Node = { kind: 'scalar', tag: textTag, value, style: 0, content: none, line: 0 }
  const open = choices(value, 'new')
  if (value.includes('\n')) {
    refuseLeadingTab(value, 0, false)
    node.style = open.block ? literal : doubleQuoted
  } else if (resolve(value)[0] !== textTag || oldBoolean.test(value) || sexagesimal.test(value)) {
    node.style = doubleQuoted
  } else if (!open.plain) {
    node.style = open.single ? singleQuoted : doubleQuoted
  }
  return node
}

/** JSON as Go writes it, keys sorted; the basis of hashes. */
export function jsonOf(value: Plain): string {
  if (typeof value === 'string') return jsonText(value)
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`
  if (value instanceof Map) {
    const keys = [...value.keys()].toSorted(byBytes)
    return `{${keys.map((key) => `${jsonText(key)}:${jsonOf(defined(value.get(key)))}`).join(',')}}`
  }
  if (typeof value === 'number' || typeof value === 'bigint') {
    return jsonNumber(value) ?? fail(`${value} can't be written as JSON`)
  }
  return String(value)
}

/** Go compares bytes, which for text is the order of code points. */
export function byBytes(a: string, b: string): number {
  if (a === b) return 0
  for (let i = 0; i < a.length && i < b.length; i++) {
    const left = a.charCodeAt(i)
    const right = b.charCodeAt(i)
    if (left === right) continue
    const isMixed = left >= 0xd800 && right >= 0xd800 && (left > 0xdfff || right > 0xdfff)
    if (isMixed) return left > 0xdfff && right <= 0xdfff ? -1 : left - right
    return left - right
  }
  return a.length - b.length
}

function jsonText(value: string): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
