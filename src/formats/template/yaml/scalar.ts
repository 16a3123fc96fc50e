/** Which style a scalar of written YAML may have: libyaml's analysis. */
import { decodeRune } from '../bytes.ts'
import type { YamlVersion } from './resolve.ts'

export type Analysis = {
  readonly isMultiline: boolean
  readonly allowsPlain: boolean
  readonly allowsSingle: boolean
  readonly allowsBlock: boolean
}

export function isBreak(rune: number): boolean {
  return rune === 10 || rune === 13 || rune === 0x85 || rune === 0x2028 || rune === 0x2029
}

/** Tabs and all beyond the basic plane are not: they are written as escapes. */
export function isPrintable(rune: number): boolean {
  if (rune < 0x7f) return rune === 10 || rune >= 32
  if (rune < 0xa0 || rune === 0xfeff || rune > 0xffff) return false
  return rune < 0xd800 || (rune >= 0xe000 && rune <= 0xfffd)
}

/** Seen in block context only: nothing here is written in flow style but what is empty. */
export function analyze(text: string, version: YamlVersion): Analysis {
  if (text === '')
    return { isMultiline: false, allowsPlain: true, allowsSingle: true, allowsBlock: false }
  let hasIndicator = text.startsWith('---') || text.startsWith('...')
  let hasBreak = false
  let hasSpecial = false
  let hasTab = false
  let hasBreakSpace = false
  let hasSpaceBreak = false
  let previous: 'space' | 'break' | 'other' = 'other'
  let afterBlank = true
  for (let at = 0; at < text.length;) {
    const { rune, size } = decodeRune(text, at)
    const next = text[at + size]
    const beforeBlank = next === undefined || next === ' ' || next === '\t'
    const char = text[at] ?? ''
    if (isIndicator(char, at === 0, afterBlank, beforeBlank)) hasIndicator = true
    if (version >= 3 && char === '\t') hasTab = true
    else if (!isPrintable(rune)) hasSpecial = true
    if (char === ' ') {
      if (previous === 'break') hasBreakSpace = true
      previous = 'space'
    } else if (isBreak(rune)) {
      hasBreak = true
      if (previous === 'space') hasSpaceBreak = true
      previous = 'break'
    } else previous = 'other'
    afterBlank = char === ' ' || char === '\t' || isBreak(rune) || rune === 0
    at += size
  }
  const isFramed =
    /^[ \n\r]|^\xc2\x85|^\xe2\x80[\xa8\xa9]|[ \n\r]$|\xc2\x85$|\xe2\x80[\xa8\xa9]$/.test(text)
  const isAwkward = hasSpaceBreak || hasSpecial
  return {
    isMultiline: hasBreak,
    allowsPlain: !isFramed && !hasBreakSpace && !isAwkward && !hasTab && !hasBreak && !hasIndicator,
    allowsSingle: !hasBreakSpace && !isAwkward && !hasTab,
    allowsBlock: !text.endsWith(' ') && !isAwkward,
  }
}

function isIndicator(
  char: string,
  isFirst: boolean,
  afterBlank: boolean,
  beforeBlank: boolean,
): boolean {
  if (isFirst && '#,[]{}&*!|>\'"%@`'.includes(char)) return true
  if (char === ':') return beforeBlank
  if (isFirst) return (char === '?' || char === '-') && beforeBlank
  return char === '#' && afterBlank
}
