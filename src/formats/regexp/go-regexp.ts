/** Regular expressions as Go has them, by re2js: Go's syntax, Go's errors, and a time that grows with the text and no faster. */
import type { RE2JS } from 're2js'
import { PatternError } from './error.ts'
import { loadRe2js } from './load-re2js.ts'
import { plainTest } from './plain-test.ts'
import { programSize } from './program-size.ts'

/** Start and end of the whole match, then of each group; -1 for a group that took no part. */
export type MatchOffsets = readonly number[]

export type Pattern = {
  readonly source: string
  /** The number of instructions that it takes. */
  readonly size: number
  /** The names of the groups: the first is the whole match, and a group without a name has an empty one. */
  readonly names: readonly string[]
  /** Whether the pattern occurs anywhere in the text. */
  test(text: string): boolean
  /** The leftmost match at or after the position; places count bytes in bytes and UTF-16 units in a text. */
  find(text: string | Uint8Array, from: number): MatchOffsets | undefined
}

/** More than any pattern of use needs. Go takes 3,355,443 and 128 MB; one of these takes a tenth of a second. */
const mostInstructions = 20_000

export function goRegExp(source: string): Pattern {
  const test = plainTest(source)
  if (test === undefined) return compiledBy(source)
  const find: Pattern['find'] = (text, from) => compiledBy(source).find(text, from)
  return { source, size: source.length + 2, names: [''], test, find }
}

function compiledBy(source: string): Pattern {
  if (programSize(source) > mostInstructions) throw refused('expression too large', source)
  const { RE2JS, RE2JSSyntaxException } = loadRe2js()
  let compiled: RE2JS
  try {
    compiled = RE2JS.compile(source)
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error
    const isWhole = wholeFaults.has(error.error)
    throw refused(error.error, isWhole ? source : (error.input ?? ''))
  }
  const names = namesOf(compiled)
  return {
    source,
    size: compiled.programSize(),
    names,
    test: (text) => compiled.test(text),
    find(text, from) {
      const [isFound, places]: readonly (readonly number[])[] = compiled
        .re2()
        .matchWithGroup(text, from, text.length, 0, names.length)
      return isFound ? places : undefined
    },
  }
}

/** Faults that Go tells of the whole pattern and not of a part of it. */
const wholeFaults = new Set(['expression too large', 'expression nests too deeply'])

function refused(fault: string, part: string): PatternError {
  return new PatternError(`error parsing regexp: ${fault}: \`${part}\``)
}

function namesOf(compiled: RE2JS): readonly string[] {
  const names = Array.from({ length: compiled.groupCount() + 1 }, () => '')
  for (const [name, index] of Object.entries(compiled.namedGroups())) names[index] = name
  return names
}
