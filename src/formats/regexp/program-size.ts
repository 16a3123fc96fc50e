/** How many instructions a pattern compiles to, at most: known before it is compiled, because `x{1000}` takes only seven letters. */
import { defined } from '#model/defined.ts'

/** Counts that multiply to more than this are refused by the compiler before it compiles anything. */
const mostRepeats = 1000

type Sequence = {
  /** The instructions of all that stands in it. */
  size: number
  /** The instructions of the last element, which a count repeats. */
  last: number
  /** How often counts within the last element, and within any element, repeat something. */
  lastTimes: number
  times: number
}

/** Only counts: whether the pattern is valid is for the compiler to say. */
export function programSize(pattern: string): number {
  const outer: Sequence[] = []
  let here = sequence()
  for (let at = 0; at < pattern.length;) {
    const letter = defined(pattern[at])
    const end = endOfAtom(pattern, at)
    const count = letter === '{' ? countAt(pattern, at) : undefined
    if (count !== undefined) {
      repeat(here, count)
      at += count.length
      continue
    }
    if (letter === '(') {
      outer.push(here)
      here = sequence()
    } else if (letter === ')') {
      const inner = here
      here = outer.pop() ?? sequence()
      here.last = inner.size + 2
      here.lastTimes = inner.times
      here.times = Math.max(here.times, inner.times)
      here.size += here.last
    } else if ('*+?'.includes(letter)) {
      here.last++
      here.size++
    } else {
      here.last = 1
      here.lastTimes = 1
      here.size += pattern.startsWith('\\Q', at) ? end - at : 1
    }
    at = end
  }
  return outer.reduce((sum, { size }) => sum + size, here.size)
}

function sequence(): Sequence {
  return { size: 0, last: 0, lastTimes: 1, times: 1 }
}

function repeat(here: Sequence, { times, size }: Count): void {
  if (here.lastTimes * times > mostRepeats) return
  here.lastTimes *= Math.max(times, 1)
  here.times = Math.max(here.times, here.lastTimes)
  here.size += here.last * (size - 1)
  here.last *= size
}

type Count = { readonly times: number; readonly size: number; readonly length: number }

function countAt(pattern: string, at: number): Count | undefined {
  const form = /\{(0|[1-9]\d*)(?:(,)((?:0|[1-9]\d*)?))?\}/y
  form.lastIndex = at
  const found = form.exec(pattern)
  if (found === null) return undefined
  const [whole, least, comma, most] = found
  const times = Math.max(Number(least), Number(most ?? 0))
  // what may be left out takes a jump for each time, and what has no end takes a loop
  const size = comma === undefined ? Math.max(times, 1) : times * 2 + 3
  return { times, size, length: whole.length }
}

function endOfAtom(pattern: string, at: number): number {
  if (pattern[at] === '\\') return endOfEscape(pattern, at)
  if (pattern[at] !== '[') return at + 1
  let end = at + 1
  if (pattern[end] === '^') end++
  if (pattern[end] === ']') end++
  while (end < pattern.length && pattern[end] !== ']') {
    const isNamed = pattern[end] === '[' && pattern[end + 1] === ':'
    const close = isNamed ? pattern.indexOf(':]', end + 2) : -1
    end = close >= 0 ? close + 2 : end + (pattern[end] === '\\' ? 2 : 1)
  }
  return end + 1
}

function endOfEscape(pattern: string, at: number): number {
  const letter = pattern[at + 1] ?? ''
  const isBraced = 'xpP'.includes(letter) && pattern[at + 2] === '{'
  if (letter !== 'Q' && !isBraced) return at + 2
  const closing = isBraced ? '}' : '\\E'
  const close = pattern.indexOf(closing, at + 2)
  return close < 0 ? pattern.length : close + closing.length
}
