/** A tree of scalars, lists and maps as YAML text, laid out as go-yaml lays it out. */
import type { Budget } from '../budget.ts'
import { decodeRune } from '../bytes.ts'
import { isOldNotation, isPlainString, type YamlVersion } from './resolve.ts'
import { analyze, isBreak, isPrintable } from './scalar.ts'
import type { YamlTree } from './tree.ts'

const step = 2
const longestSimpleKey = 128

/** Version 2 folds at 80 columns and does not indent lists in maps; version 3 is the other way round. */
export function writeYaml(tree: YamlTree, version: YamlVersion, budget: Budget): string {
  const width = version === 2 ? 80 : Number.POSITIVE_INFINITY
  const parts: string[] = []
  let length = 0
  let column = 0

  function put(text: string): void {
    parts.push(text)
    length += text.length
    budget.fits(length)
    column += runeLength(text)
  }
  function newline(indent: number): void {
    put('\n')
    column = 0
    if (indent > 0) put(' '.repeat(indent))
  }
  /** The node after a key, a dash or at the root; `isFresh` when it may start on this line. */
  function node(each: YamlTree, indent: number, isFresh: boolean, inMap: boolean): void {
    budget.spend(1)
    budget.nest((indent < 0 ? 0 : indent) / step)
    if (each.kind === 'scalar') {
      if (!isFresh) put(' ')
      scalar(each, indent < 0 ? step : indent + step, false)
      return
    }
    if (each.kind === 'list' ? each.items.length === 0 : each.entries.length === 0) {
      put(`${isFresh ? '' : ' '}${each.kind === 'list' ? '[]' : '{}'}`)
      return
    }
    const isFlat = each.kind === 'list' && inMap && version === 2
    const inner = indent < 0 ? 0 : isFlat ? indent : indent + step
    if (each.kind === 'list') sequence(each.items, inner, isFresh && !inMap)
    else mapping(each.entries, inner, isFresh && !inMap)
  }
  function sequence(items: readonly YamlTree[], indent: number, isFresh: boolean): void {
    items.forEach((item, index) => {
      if (index > 0 || !isFresh) newline(indent)
      put('- ')
      node(item, indent, true, false)
    })
  }
  function mapping(
    entries: readonly (readonly [string, YamlTree])[],
    indent: number,
    isFresh: boolean,
  ): void {
    entries.forEach(([key, value], index) => {
      if (index > 0 || !isFresh) newline(indent)
      const isSimple = key.length <= longestSimpleKey && !analyze(key, version).isMultiline
      if (isSimple) {
        scalar({ kind: 'scalar', text: key, isString: true }, indent, true)
        put(':')
        node(value, indent, false, true)
        return
      }
      put('? ')
      scalar({ kind: 'scalar', text: key, isString: true }, indent + step, false)
      newline(indent)
      put(': ')
      node(value, indent, true, false)
    })
  }
  function scalar(
    { text, isString }: Extract<YamlTree, { kind: 'scalar' }>,
    indent: number,
    isKey: boolean,
  ): void {
    if (!isString) return put(text)
    const { isMultiline, allowsPlain, allowsSingle, allowsBlock } = analyze(text, version)
    const isPlain = isPlainString(text, version)
    if (version === 4 && isOldNotation(text)) return single(text, indent, isKey)
    if (text.includes('\n') && !isKey && allowsBlock) return literal(text, indent)
    if (text.includes('\n') || !isPlain || (isKey && isMultiline))
      return double(text, indent, isKey)
    if (allowsPlain && !(text === '' && isKey)) return folded(text, indent, isKey)
    return allowsSingle ? single(text, indent, isKey) : double(text, indent, isKey)
  }
  /** Breaks the line at a lone space beyond the width. */
  function folded(text: string, indent: number, isKey: boolean): void {
    eachWord(text, isKey, (word, canBreak) => {
      if (canBreak && column > width) return newline(indent)
      put(word)
    })
  }
  function single(text: string, indent: number, isKey: boolean): void {
    put("'")
    eachWord(text, isKey, (word, canBreak, isInner) => {
      if (canBreak && isInner && column > width) return newline(indent)
      put(indentedBreaks(word, indent).replaceAll("'", "''"))
    })
    put("'")
  }
  function double(text: string, indent: number, isKey: boolean): void {
    put('"')
    /** go-yaml looks for a byte order mark at the start only, and then escapes all that follows. */
    const isMarked = text.startsWith('\xef\xbb\xbf')
    let wasSpace = false
    for (let at = 0; at < text.length;) {
      const { rune, size } = decodeRune(text, at)
      if (rune === 32 && !isMarked) {
        const isInner = at > 0 && at < text.length - 1
        if (!isKey && !wasSpace && column > width && isInner) {
          newline(indent)
          if (text[at + 1] === ' ') put('\\')
        } else put(' ')
      } else put(isMarked || isEscaped(rune) ? escapeOf(rune) : text.slice(at, at + size))
      wasSpace = rune === 32
      at += size
    }
    put('"')
  }
  function literal(text: string, indent: number): void {
    put('|')
    if (text.startsWith(' ') || isBreak(decodeRune(text, 0).rune)) put(String(step))
    if (!text.endsWith('\n')) put('-')
    else if (text === '\n' || text.endsWith('\n\n')) put('+')
    put('\n')
    column = 0
    const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
    lines.forEach((line, index) => {
      if (index > 0) newline(0)
      if (line !== '') put(' '.repeat(indent) + indentedBreaks(line, indent))
    })
  }

  node(tree, -1, true, false)
  return `${parts.join('')}\n`
}

/** Each run without spaces, and each space alone: whether a line may break there, and whether it is inside. */
function eachWord(
  text: string,
  isKey: boolean,
  visit: (word: string, canBreak: boolean, isInner: boolean) => void,
): void {
  let at = 0
  let wasSpace = false
  for (const word of text.match(/ |[^ ]+/g) ?? []) {
    const isSpace = word === ' '
    const canBreak = isSpace && !isKey && !wasSpace && text[at + 1] !== ' '
    visit(word, canBreak, at > 0 && at < text.length - 1)
    wasSpace = isSpace
    at += word.length
  }
}

/** After U+2028 and U+2029, which end a line to YAML, the next line is indented. */
function indentedBreaks(text: string, indent: number): string {
  return text.replace(/(?:\xe2\x80[\xa8\xa9])+(?=[^])/g, (breaks) => breaks + ' '.repeat(indent))
}

const escapes: ReadonlyMap<number, string> = new Map([
  [0, '0'],
  [7, 'a'],
  [8, 'b'],
  [9, 't'],
  [10, 'n'],
  [11, 'v'],
  [12, 'f'],
  [13, 'r'],
  [27, 'e'],
  [34, '"'],
  [92, '\\'],
  [0x85, 'N'],
  [0xa0, '_'],
  [0x2028, 'L'],
  [0x2029, 'P'],
])

function isEscaped(rune: number): boolean {
  return !isPrintable(rune) || isBreak(rune) || rune === 34 || rune === 92
}

function escapeOf(rune: number): string {
  const short = escapes.get(rune)
  if (short !== undefined) return `\\${short}`
  const [letter, size] = rune <= 0xff ? ['x', 2] : rune <= 0xffff ? ['u', 4] : ['U', 8]
  return `\\${letter}${rune.toString(16).toUpperCase().padStart(Number(size), '0')}`
}

function runeLength(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) & 0xc0) !== 0x80) count++
  return count
}
