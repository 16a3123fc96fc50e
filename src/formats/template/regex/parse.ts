/** Reads Go's regular expressions (RE2), with Go's errors. */
import { decodeRune } from '../bytes.ts'
import { bracketClass, escapedClass, escapedRune, same } from './classes.ts'
import { syntaxError, type Assertion, type Regex } from './syntax.ts'

export type Parsed = { readonly tree: Regex; readonly names: readonly string[] }

type Flags = { readonly i: boolean; readonly m: boolean; readonly s: boolean; readonly u: boolean }
type Group = {
  readonly branches: Regex[]
  sequence: Regex[]
  readonly capture: number | undefined
  readonly flags: Flags
}

const mostRepeats = 1000
const deepest = 1000

/** names[0] is the whole match; unnamed groups have an empty name. */
export function parseRegex(source: string): Parsed {
  const names = ['']
  const groups: Group[] = []
  let flags: Flags = { i: false, m: false, s: false, u: false }
  let group: Group = { branches: [], sequence: [], capture: undefined, flags }
  let rest = source
  let lastRepeat = ''

  function push(part: Regex): void {
    group.sequence.push(part)
  }
  function literal(rune: number): void {
    push({ kind: 'rune', test: same(rune, flags.i) })
  }
  function closed({ branches, sequence }: Group): Regex {
    const parts = [...branches, joined(sequence)]
    const [only] = parts
    return parts.length === 1 && only !== undefined ? only : { kind: 'alternate', parts }
  }
  function open(capture: number | undefined, inner: Flags): void {
    if (groups.length >= deepest) throw syntaxError('expression nests too deeply', source)
    groups.push(group)
    group = { branches: [], sequence: [], capture, flags }
    flags = inner
  }
  function close(): void {
    const outer = groups.pop()
    if (outer === undefined) throw syntaxError('unexpected )', source)
    const part = closed(group)
    const { capture } = group
    flags = group.flags
    group = outer
    push(capture === undefined ? part : { kind: 'capture', index: capture, part })
  }
  function repeat(min: number, max: number | undefined, length: number): string {
    const before = rest
    let after = rest.slice(length)
    let isGreedy = !flags.u
    if (after.startsWith('?')) {
      after = after.slice(1)
      isGreedy = !isGreedy
    }
    if (lastRepeat !== '') {
      const stacked = lastRepeat.slice(0, lastRepeat.length - after.length)
      throw syntaxError('invalid nested repetition operator', stacked)
    }
    const operator = before.slice(0, before.length - after.length)
    const part = group.sequence.pop()
    if (part === undefined) throw syntaxError('missing argument to repetition operator', operator)
    const made: Regex = { kind: 'repeat', part, min, max, isGreedy }
    if ((min >= 2 || (max ?? 0) >= 2) && !isSmall(made, mostRepeats)) {
      throw syntaxError('invalid repeat count', operator)
    }
    push(made)
    rest = after
    return before
  }
  function counted(): string {
    const found = /^\{(\d+)(,(\d*))?\}/.exec(rest)
    if (found === null) {
      literal(0x7b)
      rest = rest.slice(1)
      return ''
    }
    const min = Number(found[1])
    const max = found[2] === undefined ? min : found[3] === '' ? undefined : Number(found[3])
    if (min > mostRepeats || (max !== undefined && (max > mostRepeats || min > max))) {
      throw syntaxError('invalid repeat count', found[0])
    }
    return repeat(min, max, found[0].length)
  }
  function parenthesis(): void {
    if (!rest.startsWith('(?')) {
      names.push('')
      rest = rest.slice(1)
      open(names.length - 1, flags)
      return
    }
    if (rest.startsWith('(?P<') || rest.startsWith('(?<')) named()
    else flagGroup()
  }
  function named(): void {
    const end = rest.indexOf('>')
    if (end < 0) throw syntaxError('invalid named capture', rest)
    const whole = rest.slice(0, end + 1)
    const name = whole.slice(whole.indexOf('<') + 1, -1)
    if (!/^[A-Za-z0-9_]+$/.test(name)) throw syntaxError('invalid named capture', whole)
    names.push(name)
    rest = rest.slice(whole.length)
    open(names.length - 1, flags)
  }
  /** (?i), (?i-s:, (?: */
  function flagGroup(): void {
    const start = rest
    let value = true
    let hasFlag = false
    const changed = { ...flags }
    for (rest = rest.slice(2); rest !== '';) {
      const { size } = decodeRune(rest, 0)
      const letter = rest.slice(0, size)
      rest = rest.slice(size)
      if (letter === 'i' || letter === 'm' || letter === 's' || letter === 'U') {
        changed[letter === 'U' ? 'u' : letter] = value
        hasFlag = true
      } else if (letter === '-' && value) {
        value = false
        hasFlag = false
      } else if ((letter === ':' || letter === ')') && (value || hasFlag)) {
        if (letter === ':') open(undefined, changed)
        else flags = changed
        return
      } else
        throw syntaxError(
          'invalid or unsupported Perl syntax',
          start.slice(0, start.length - rest.length),
        )
    }
    throw syntaxError('missing argument to repetition operator', start)
  }
  function backslash(): void {
    const letter = rest[1] ?? ''
    const assertion = assertions.get(letter)
    if (assertion !== undefined) {
      push({ kind: 'assert', what: assertion })
      rest = rest.slice(2)
      return
    }
    if (letter === 'Q') {
      const end = rest.indexOf('\\E', 2)
      const quoted = end < 0 ? rest.slice(2) : rest.slice(2, end)
      for (let at = 0; at < quoted.length;) {
        const { rune, size } = decodeRune(quoted, at)
        literal(rune)
        at += size
      }
      rest = end < 0 ? '' : rest.slice(end + 2)
      return
    }
    const found = escapedClass(rest, flags.i)
    if (found !== undefined) {
      push({ kind: 'rune', test: found.value })
      rest = found.rest
      return
    }
    const one = escapedRune(rest)
    literal(one.value)
    rest = one.rest
  }
  function bracket(): void {
    const found = bracketClass(rest, flags.i)
    push({ kind: 'rune', test: found.value })
    rest = found.rest
  }
  /** One element; the text from a repetition operator on, or nothing. */
  function element(): string {
    switch (rest[0] ?? '') {
      case '*':
        return repeat(0, undefined, 1)
      case '+':
        return repeat(1, undefined, 1)
      case '?':
        return repeat(0, 1, 1)
      case '{':
        return counted()
      case '(':
        parenthesis()
        return ''
      case '[':
        bracket()
        return ''
      case '\\':
        backslash()
        return ''
      default:
        break
    }
    const { rune, size } = decodeRune(rest, 0)
    const char = rest.slice(0, size)
    rest = rest.slice(size)
    if (char === '|') {
      group.branches.push(joined(group.sequence))
      group.sequence = []
    } else if (char === ')') close()
    else if (char === '^') push({ kind: 'assert', what: flags.m ? 'lineStart' : 'textStart' })
    else if (char === '$') push({ kind: 'assert', what: flags.m ? 'lineEnd' : 'textEnd' })
    else if (char === '.') {
      const takesNewline = flags.s
      push({ kind: 'rune', test: (each) => takesNewline || each !== 10 })
    } else literal(rune)
    return ''
  }

  while (rest !== '') lastRepeat = element()
  if (groups.length > 0) throw syntaxError('missing closing )', source)
  return { tree: closed(group), names }
}

const assertions: ReadonlyMap<string, Assertion> = new Map<string, Assertion>([
  ['A', 'textStart'],
  ['z', 'textEnd'],
  ['b', 'word'],
  ['B', 'noWord'],
])

function joined(parts: readonly Regex[]): Regex {
  const [only] = parts
  if (only === undefined) return { kind: 'empty' }
  return parts.length === 1 ? only : { kind: 'concat', parts }
}

/** Whether the counts of repeats within repeats multiply to no more than Go allows. */
function isSmall(tree: Regex, allowed: number): boolean {
  switch (tree.kind) {
    case 'repeat': {
      const most = tree.max === undefined ? tree.min : tree.max
      if (most > allowed) return false
      const left = most > 0 ? Math.floor(allowed / most) : allowed
      return isSmall(tree.part, left)
    }
    case 'capture':
      return isSmall(tree.part, allowed)
    case 'concat':
    case 'alternate':
      return tree.parts.every((part) => isSmall(part, allowed))
    case 'empty':
    case 'rune':
    case 'assert':
      return true
  }
}
