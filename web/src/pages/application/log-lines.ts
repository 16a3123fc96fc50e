/** The lines of logs as they come: JSON lines from a stream, the newest kept. */
import type { LogLine } from '#model/api.ts'

/** More than this nobody reads; the search asks the service. */
export const mostLines = 3000

export async function readLines(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  take: (lines: readonly LogLine[]) => void,
): Promise<void> {
  let rest = ''
  const text = body.pipeThrough(new TextDecoderStream())
  for await (const part of text) {
    const lines = (rest + part).split('\n')
    rest = lines.pop() ?? ''
    const parsed = lines.filter((line) => line !== '').map((line): LogLine => JSON.parse(line))
    if (parsed.length > 0) take(parsed)
  }
}

export function appended(old: readonly LogLine[], lines: readonly LogLine[]): readonly LogLine[] {
  return [...old, ...lines].slice(-mostLines)
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
