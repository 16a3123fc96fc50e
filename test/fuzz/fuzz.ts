/** Texts that nobody would write, to every reader: none crashes, none takes a second of the processor or 200 MB. */
import { parsers, type Parser } from './parsers.ts'

export type Finding = {
  readonly parser: string
  readonly what: string
  readonly text: string
}

export type Fuzzed = {
  readonly inputs: number
  readonly findings: readonly Finding[]
  /** Of one input, ms of the processor. */
  readonly slowest: number
}

const longest = 1_000
const largest = 200 * 1024 * 1024

export async function fuzz(
  inputs: number,
  seed: number,
  told: (line: string) => void = () => undefined,
): Promise<Fuzzed> {
  const random = randomFrom(seed)
  const findings: Finding[] = []
  let slowest = 0
  let done = 0
  for (const parser of parsers) {
    const count = Math.ceil((inputs * parser.share) / 100)
    let worst = 0
    for (let index = 0; index < count; index += 1) {
      const text = changed(parser.seeds, random)
      const { took, finding } = await tried(parser, text)
      worst = Math.max(worst, took)
      if (finding !== undefined) findings.push(finding)
      done += 1
      // whoever watches that none hangs wants to see that it goes on
      if (index % 20 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    slowest = Math.max(slowest, worst)
    told(
      `${parser.name.padEnd(16)} ${String(count).padStart(7)} inputs, slowest ${worst.toFixed(0)} ms`,
    )
  }
  return { inputs: done, findings, slowest }
}

async function tried(parser: Parser, text: string): Promise<{ took: number; finding?: Finding }> {
  const about = { parser: parser.name, text }
  const [begun, before] = [process.cpuUsage(), process.memoryUsage.rss()]
  try {
    await parser.read(text)
  } catch (error) {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { took: 0, finding: { ...about, what } }
  }
  const { user, system } = process.cpuUsage(begun)
  const took = (user + system) / 1000
  const grown = process.memoryUsage.rss() - before
  if (took > longest) return { took, finding: { ...about, what: `it took ${took.toFixed(0)} ms` } }
  if (grown > largest) return { took, finding: { ...about, what: `it took ${grown} bytes` } }
  return { took }
}

const pieces = [
  '{',
  '}',
  '[',
  ']',
  ':',
  '- ',
  '\n',
  '\n  ',
  '\t',
  '"',
  "'",
  '`',
  '#',
  '&a',
  '*a',
  '<<: *a',
  '|',
  '>-',
  '---\n',
  '!!x ',
  '${',
  '$$',
  '${A:-',
  '{{',
  '}}',
  '{{- range until 9 }}',
  '{{ end }}',
  '(',
  ')',
  '..',
  '/',
  '\\',
  '%',
  '?',
  ',',
  '=',
  '@',
  '\0',
  '\u009b',
  '\u202e',
  '\uFEFF',
  '\uD800',
  '𝒳',
  '9'.repeat(40),
  '-1',
  '1e999',
  'null',
  'true',
  '~',
  '__proto__',
  'ENC[',
]

/** One to eight changes: a piece put in, cut out, doubled, moved, many times over, or another seed behind it. */
function changed(seeds: readonly string[], random: () => number): string {
  const any = (below: number): number => Math.floor(random() * below)
  let text = seeds[any(seeds.length)] ?? ''
  for (let round = any(8); round >= 0; round -= 1) {
    const at = any(text.length + 1)
    const end = Math.min(text.length, at + any(30))
    const piece = pieces[any(pieces.length)] ?? ''
    const part = text.slice(at, end)
    switch (any(7)) {
      case 0:
        text = text.slice(0, at) + piece + text.slice(at)
        break
      case 1:
        text = text.slice(0, at) + text.slice(end)
        break
      case 2:
        text = text.slice(0, end) + part + text.slice(end)
        break
      case 3:
        text = text.slice(0, at) + piece.repeat(1 + any(200)) + text.slice(at)
        break
      case 4:
        text = text.slice(0, at) + part.repeat(1 + any(60)) + text.slice(at)
        break
      case 5:
        text = text.slice(0, at) + String.fromCharCode(any(0x300)) + text.slice(at + 1)
        break
      default:
        text = text.slice(0, at) + (seeds[any(seeds.length)] ?? '').slice(any(60))
    }
    if (text.length > 60_000) text = text.slice(0, 60_000)
  }
  return text
}

/** The same numbers for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
