/** Go's regular expressions on byte strings: the one engine for patterns, at the cost of the render's budget. */
import { PatternError } from '../../regexp/error.ts'
import { goRegExp, type MatchOffsets } from '../../regexp/go-regexp.ts'
import type { Budget } from '../budget.ts'
import { decodeRune, isAscii, isValidUtf8, toBuffer, toBytes, toText } from '../bytes.ts'
import { GoError } from '../errors.ts'

export type { MatchOffsets } from '../../regexp/go-regexp.ts'

export type Pattern = {
  readonly source: string
  readonly names: readonly string[]
  /** Finds in one text; places count bytes. */
  in(text: string): Search
}
/** The leftmost match at or after the position; of several there, the one that Perl would take. */
export type Search = (from: number) => MatchOffsets | undefined

export function pattern(source: string, budget: Budget): Pattern {
  budget.text(source)
  if (!isValidUtf8(source)) {
    throw new GoError(`error parsing regexp: invalid UTF-8: \`${source}\``)
  }
  const compiled = compile(toText(source))
  budget.spend(compiled.size)
  // what one step of the budget pays for grows with the number of threads that may run side by side
  const perByte = 1 + (compiled.size >> 6)
  return {
    source,
    names: compiled.names.map(toBytes),
    in(text) {
      const input = isAscii(text) ? text : toBuffer(text)
      return (from) => {
        const found = compiled.find(input, from)
        budget.spend(1 + ((found?.[1] ?? text.length) - from) * perByte)
        return found
      }
    },
  }
}

function compile(source: string): ReturnType<typeof goRegExp> {
  try {
    return goRegExp(source)
  } catch (error) {
    if (error instanceof PatternError) throw new GoError(toBytes(error.message))
    throw error
  }
}

/** Each match in turn; an empty one right after another is left out. */
export function findAll(given: Pattern, text: string, most: number): MatchOffsets[] {
  const all: MatchOffsets[] = []
  const find = given.in(text)
  let previousEnd = -1
  for (let position = 0; all.length < most && position <= text.length;) {
    const found = find(position)
    if (found === undefined) break
    const [start = 0, end = 0] = found
    const isAccepted = end !== position || start !== previousEnd
    position = end === position ? position + Math.max(decodeRune(text, position).size, 1) : end
    previousEnd = end
    if (isAccepted) all.push(found)
  }
  return all
}
