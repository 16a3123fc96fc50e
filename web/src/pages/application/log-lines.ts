/** The lines of logs as they come: JSON lines from a stream, the newest kept. */
import type { LogLine } from '#model/api.ts'
import { withoutColours } from '../../parts/without-colours.ts'

/** More than this nobody reads; the search asks the service. */
export const mostLines = 3000

export async function readLines(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  take: (lines: readonly LogLine[]) => unknown,
): Promise<void> {
  let rest = ''
  const text = body.pipeThrough(new TextDecoderStream())
  for await (const part of text) {
    const lines = (rest + part).split('\n')
    rest = lines.pop() ?? ''
    const parsed = lines.filter((line) => line !== '').map(lineIn)
    if (parsed.length > 0) take(parsed)
  }
}

function lineIn(text: string): LogLine {
  const line: LogLine = JSON.parse(text)
  return { ...line, text: withoutColours(line.text) }
}

export function appended(old: readonly LogLine[], lines: readonly LogLine[]): readonly LogLine[] {
  return [...old, ...lines].slice(-mostLines)
}

const numbers = new WeakMap<LogLine, number>()
let lastNumber = 0

/** The same for as long as the line is kept, whatever is cut off before it: what somebody marked in it, and where they read, stays. */
export function numberOf(line: LogLine): number {
  const known = numbers.get(line)
  if (known !== undefined) return known
  lastNumber += 1
  numbers.set(line, lastNumber)
  return lastNumber
}

/** Engines give lines of several containers not quite in order: a stream that is opened again begins this long before the last one, ms. */
const overlap = 2000

/** Where one stream ended and the next begins: what both tell is shown once. */
export function seamOf() {
  let told: readonly LogLine[] = []
  /** What the stream that is open now may tell again, and how often. */
  let again = new Map<string, number>()
  return {
    /** Since when to ask; undefined: nothing was told yet. */
    from(): number | undefined {
      if (told.length === 0) return undefined
      const start = Math.max(...told.map(({ at }) => at)) - overlap
      told = told.filter(({ at }) => at >= start)
      again = new Map()
      for (const line of told) again.set(keyOf(line), (again.get(keyOf(line)) ?? 0) + 1)
      return start
    },
    passing(lines: readonly LogLine[]): readonly LogLine[] {
      const fresh = lines.filter((line) => {
        const left = again.get(keyOf(line)) ?? 0
        if (left > 0) again.set(keyOf(line), left - 1)
        return left === 0
      })
      told = appended(told, fresh)
      return fresh
    },
  }
}

function keyOf({ at, container, stream, text }: LogLine): string {
  return `${at} ${container} ${stream} ${text}`
}

/** A text in parts: those that were searched for, and the rest by turns. */
export function marked(
  text: string,
  search: string,
): readonly (readonly [part: string, isFound: boolean])[] {
  if (search === '') return [[text, false]]
  const parts: (readonly [string, boolean])[] = []
  const [low, word] = [text.toLowerCase(), search.toLowerCase()]
  let from = 0
  for (let at = low.indexOf(word); at >= 0; at = low.indexOf(word, from)) {
    if (at > from) parts.push([text.slice(from, at), false])
    parts.push([text.slice(at, at + word.length), true])
    from = at + word.length
  }
  if (from < text.length) parts.push([text.slice(from), false])
  return parts
}
