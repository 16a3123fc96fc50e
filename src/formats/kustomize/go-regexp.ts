/** Regular expressions as Go writes them, turned into those of this platform; what Go refuses is refused. */
import { fail } from './error.ts'

const classes = new Map([
  ['d', '[0-9]'],
  ['D', '[^0-9]'],
  ['s', '[\\t\\n\\f\\r ]'],
  ['S', '[^\\t\\n\\f\\r ]'],
  ['w', '[0-9A-Za-z_]'],
  ['W', '[^0-9A-Za-z_]'],
  ['A', '(?<![\\s\\S])'],
  ['z', '(?![\\s\\S])'],
  ['b', '\\b'],
  ['B', '\\B'],
  ['a', '\\x07'],
  ['f', '\\f'],
  ['n', '\\n'],
  ['r', '\\r'],
  ['t', '\\t'],
  ['v', '\\v'],
])
const named = new Map([
  ['alnum', '0-9A-Za-z'],
  ['alpha', 'A-Za-z'],
  ['ascii', '\\x00-\\x7f'],
  ['blank', '\\t '],
  ['cntrl', '\\x00-\\x1f\\x7f'],
  ['digit', '0-9'],
  ['graph', '!-~'],
  ['lower', 'a-z'],
  ['print', ' -~'],
  ['punct', '!-\\/:-@\\[-`{-~'],
  ['space', '\\t\\n\\v\\f\\r '],
  ['upper', 'A-Z'],
  ['word', '0-9A-Za-z_'],
  ['xdigit', '0-9A-Fa-f'],
])

export function goRegExp(pattern: string): RegExp {
  const scan = { pattern, at: 0, flags: '', out: '' }
  while (scan.at < pattern.length) next(scan)
  try {
    return new RegExp(scan.out, `u${scan.flags}`)
  } catch {
    return fail(`${JSON.stringify(pattern)} is no regular expression`)
  }
}

type Scan = { readonly pattern: string; at: number; flags: string; out: string }

function next(scan: Scan): void {
  const { pattern } = scan
  const letter = pattern[scan.at]!
  if (letter === '\\') return escape(scan)
  if (letter === '[') return bracket(scan)
  if (letter === '(' && pattern[scan.at + 1] === '?') return group(scan)
  if (letter === '{') return braces(scan)
  scan.at++
  if (letter === '.') scan.out += scan.flags.includes('s') ? '[\\s\\S]' : '[^\\n]'
  else if (letter === ']' || letter === '}') scan.out += `\\${letter}`
  else scan.out += letter
}

function escape(scan: Scan): void {
  const letter = scan.pattern[scan.at + 1]
  if (letter === undefined) refuse(scan)
  const known = classes.get(letter!)
  if (letter === 'Q') {
    const end = scan.pattern.indexOf('\\E', scan.at)
    const quoted = scan.pattern.slice(scan.at + 2, end < 0 ? undefined : end)
    scan.out += quoted.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    scan.at = end < 0 ? scan.pattern.length : end + 2
    return
  }
  const code = /^\\(?:x([0-9a-fA-F]{2})|x\{([0-9a-fA-F]+)\}|(0[0-7]{0,2}))/.exec(
    scan.pattern.slice(scan.at),
  )
  if (code !== null) {
    const value =
      code[3] === undefined ? Number.parseInt(code[1] ?? code[2]!, 16) : Number.parseInt(code[3], 8)
    scan.out += `\\u{${value.toString(16)}}`
    scan.at += code[0].length
    return
  }
  const property = /^\\[pP](?:\{\^?\w+\}|\w)/.exec(scan.pattern.slice(scan.at))
  if (property !== null) {
    scan.out += property[0].replace(/^(\\[pP])(\w)$/, '$1{$2}')
    scan.at += property[0].length
    return
  }
  if (known === undefined && /[A-Za-z0-9]/.test(letter!)) refuse(scan)
  scan.out += known ?? (/[\^$.*+?()[\]{}|/\\]/.test(letter!) ? `\\${letter}` : letter!)
  scan.at += 2
}

function bracket(scan: Scan): void {
  const { pattern } = scan
  let at = scan.at + 1
  let out = '['
  if (pattern[at] === '^') {
    out += '^'
    at++
  }
  for (let isFirst = true; ; isFirst = false) {
    const letter = pattern[at]
    if (letter === undefined) refuse(scan)
    if (letter === ']' && !isFirst) break
    const name = /^\[:(\^?)(\w+):\]/.exec(pattern.slice(at))
    if (name !== null) {
      const known = named.get(name[2]!)
      if (known === undefined || name[1] !== '') refuse(scan)
      out += known
      at += name[0].length
    } else if (letter === '\\') {
      const inner = { pattern, at, flags: scan.flags, out: '' }
      escape(inner)
      out += /^\[[^^]/.test(inner.out) ? inner.out.slice(1, -1) : insideBrackets(inner.out)
      at = inner.at
    } else {
      out += /[[\]\\^/{}()|&~!#%,:;<=>@`]/.test(letter!)
        ? `\\${letter}`.replace(/\\([&~!#%,:;<=>@`])/, '$1')
        : letter
      at++
    }
  }
  scan.out += `${out}]`
  scan.at = at + 1
}

function insideBrackets(text: string): string {
  return text === '-' ? '\\-' : text
}

function group(scan: Scan): void {
  const rest = scan.pattern.slice(scan.at)
  const name = /^\(\?P?<(\w+)>/.exec(rest)
  if (name !== null) {
    scan.out += `(?<${name[1]}>`
    scan.at += name[0].length
    return
  }
  const flags = /^\(\?([imsU]*)(?:-[imsU]+)?(:|\))/.exec(rest)
  if (flags === null) refuse(scan)
  const wanted = flags![1]!.replace('U', '')
  scan.at += flags![0].length
  if (flags![2] === ':') {
    scan.out += wanted === '' ? '(?:' : `(?${wanted}:`
    return
  }
  for (const flag of wanted) if (!scan.flags.includes(flag)) scan.flags += flag
}

function braces(scan: Scan): void {
  const count = /^\{\d+(?:,\d*)?\}/.exec(scan.pattern.slice(scan.at))
  scan.out += count === null ? '\\{' : count[0]
  scan.at += count === null ? 1 : count[0].length
}

function refuse(scan: Scan): never {
  return fail(`${JSON.stringify(scan.pattern)} is no regular expression`)
}
