/** Which ways of writing a text are open to a YAML printer of Go. */
import { defined } from '#model/defined.ts'

export type Choices = {
  readonly plain: boolean
  readonly plainInFlow: boolean
  readonly single: boolean
  readonly block: boolean
  readonly multiline: boolean
}

const simple = /^[A-Za-z_/$()][A-Za-z0-9_/.$()+=@-]*$/
const always: Choices = {
  plain: true,
  plainInFlow: true,
  single: true,
  block: true,
  multiline: false,
}
const whenEmpty: Choices = { ...always, plainInFlow: false, block: false }

/** The older printer counts a tab among the characters that need an escape, the newer one only keeps it out of quotes. */
export function choices(text: string, printer: 'old' | 'new'): Choices {
  if (text === '') return whenEmpty
  if (simple.test(text)) return always
  const found = survey(text)
  const hasTab = text.includes('\t')
  const isSpecial = hasSpecial(text) || (printer === 'old' && hasTab)
  const isLoose = found.spaceBeforeBreak || isSpecial
  const isSpaced = /^[ \r\n\u0085\u2028\u2029]|[ \r\n\u0085\u2028\u2029]$/.test(text)
  const isPlain = !isSpaced && !found.spaceAfterBreak && !isLoose && !hasTab && !found.multiline
  return {
    plain: isPlain && !found.inBlock,
    plainInFlow: isPlain && !found.inFlow,
    single: !found.spaceAfterBreak && !isLoose && !hasTab,
    block: !text.endsWith(' ') && !isLoose,
    multiline: found.multiline,
  }
}

function survey(text: string) {
  const multiline = /[\r\n\u0085\u2028\u2029]/.test(text)
  const isMark = text.startsWith('---') || text.startsWith('...')
  const startsBadly = isMark || /^[#,[\]{}&*!|>'"%@`]|^[?:-](?:[ \t]|$)/.test(text)
  const inBlock = startsBadly || /:(?:[ \t]|$)|[ \t\r\n\u0085\u2028\u2029\0]#/.test(text)
  return {
    multiline,
    inBlock,
    inFlow: inBlock || /^[?:]|[,?[\]{}:]/.test(text),
    spaceAfterBreak: multiline && /[\r\n\u0085\u2028\u2029] /.test(text),
    spaceBeforeBreak: multiline && / [\r\n\u0085\u2028\u2029]/.test(text),
  }
}

const special = /[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/

function hasSpecial(text: string): boolean {
  return special.test(text)
}

const escapes = new Map([
  [0x00, '0'],
  [0x07, 'a'],
  [0x08, 'b'],
  [0x09, 't'],
  [0x0a, 'n'],
  [0x0b, 'v'],
  [0x0c, 'f'],
  [0x0d, 'r'],
  [0x1b, 'e'],
  [0x22, '"'],
  [0x5c, '\\'],
  [0x85, 'N'],
  [0xa0, '_'],
  [0x2028, 'L'],
  [0x2029, 'P'],
])

export function inDoubleQuotes(text: string): string {
  const isMarked = text.startsWith('\ufeff')
  let quoted = ''
  for (const letter of text) {
    const code = defined(letter.codePointAt(0))
    const isPlain = !isMarked && !hasSpecial(letter) && !/["\\\t\n\u2028\u2029]/.test(letter)
    quoted += isPlain ? letter : escaped(code)
  }
  return `"${quoted}"`
}

export function inSingleQuotes(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

function escaped(code: number): string {
  const known = escapes.get(code)
  if (known !== undefined) return `\\${known}`
  const digits = code.toString(16).toUpperCase()
  if (code <= 0xff) return `\\x${digits.padStart(2, '0')}`
  return code <= 0xffff ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`
}
