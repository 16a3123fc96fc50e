/** What a render found wrong, and what it only warns of: all of it at once, in a few lines. */
import { mergedLines, securityText } from '#model/policy.ts'
import { placeText, type ProblemFacts } from '#model/problem.ts'

/** A file may hold thousands; whoever mends the first ones sees the next. */
const mostTold = 10
const mostLines = 20
const mostWarnings = 20
const longest = 500

/** The first of those that stop a run, with the others as its details; undefined: nothing stops it. */
export function faultIn(problems: readonly ProblemFacts[]): ProblemFacts | undefined {
  const [first, ...others] = problems.filter(({ type }) => type === 'configuration')
  if (first === undefined || others.length === 0) return first
  const told = others.slice(0, mostTold - 1).map((one) => `${also}${lineOf(one)}`)
  const left = others.length - told.length
  const rest = left === 0 ? [] : [`${also}${left} more`]
  const whole = allowedAtOnce([first, ...others])
  return { ...first, details: [...(first.details ?? []), ...told, ...rest, ...whole] }
}

/** Of several refusals of the policy the lines that allow all of them, to be pasted as they are. */
function allowedAtOnce(problems: readonly ProblemFacts[]): readonly string[] {
  const lines = problems.flatMap(({ allowedBy }) => (allowedBy === undefined ? [] : [allowedBy]))
  const merged = mergedLines(lines)
  const count = Object.values(merged).flat().length
  if (count < 2 || count > mostLines) return []
  return [`${also}in one, for whoever allows all of it in tend.yaml: ${securityText(merged)}`]
}

const also = 'also '

/** The others that came with it: of what else explains it nothing. */
export function othersIn({ details = [] }: ProblemFacts): readonly string[] {
  return details.filter((line) => line.startsWith(also))
}

/** Each with its place and what to do. */
function lineOf({ message, at, suggestion }: ProblemFacts): string {
  const place = at === undefined ? '' : `${placeText(at)}: `
  return `${place}${message}${suggestion === undefined ? '' : ` (${suggestion})`}`
}

/** As they are kept and shown: each once. */
export function warningsIn(warnings: readonly string[]): string[] {
  const each = [...new Set(warnings)]
  const told = each.slice(0, mostWarnings).map((text) => text.slice(0, longest))
  return each.length > told.length ? [...told, `and ${each.length - told.length} more`] : told
}
