/** Sprig's functions on regular expressions. */
import { decodeRune } from '../bytes.ts'
import { GoError } from '../errors.ts'
import { int, strings, takes1, takes2, takes3, text, type Context, type Func } from '../library.ts'
import { canBackquote, quote } from '../quote.ts'
import { nilList, type List } from '../values.ts'
import { expand } from './expand.ts'
import { findAll, pattern, type MatchOffsets, type Pattern } from './go-pattern.ts'

type Compile = (context: Context, source: string) => Pattern

/** The must… forms return the error of the expression; the others panic with a longer one. */
function returned({ budget }: Context, source: string): Pattern {
  return pattern(source, budget)
}

function panicked({ budget }: Context, source: string): Pattern {
  try {
    return pattern(source, budget)
  } catch (error) {
    if (!(error instanceof GoError)) throw error
    const shown = canBackquote(source) ? `\`${source}\`` : quote(source)
    throw new GoError(`regexp: Compile(${shown}): ${error.text}`)
  }
}

export const regexFunctions: Readonly<Record<string, Func>> = {
  regexMatch: takes2(text, text, (context, source, value) => {
    try {
      return returned(context, source).in(value)(0) !== undefined
    } catch (error) {
      if (error instanceof GoError) return false
      throw error
    }
  }),
  mustRegexMatch: takes2(
    text,
    text,
    (context, source, value) => returned(context, source).in(value)(0) !== undefined,
  ),
  regexFind: find(panicked),
  mustRegexFind: find(returned),
  regexFindAll: findTexts(panicked),
  mustRegexFindAll: findTexts(returned),
  regexReplaceAll: replace(panicked, expand),
  mustRegexReplaceAll: replace(returned, expand),
  regexReplaceAllLiteral: replace(panicked, (replacement) => replacement),
  mustRegexReplaceAllLiteral: replace(returned, (replacement) => replacement),
  regexSplit: split(panicked),
  mustRegexSplit: split(returned),
  regexQuoteMeta: takes1(text, (_, value) => value.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&')),
}

function find(compile: Compile): Func {
  return takes2(text, text, (context, source, value) => {
    const [start = 0, end = 0] = compile(context, source).in(value)(0) ?? []
    return value.slice(start, end)
  })
}

function findTexts(compile: Compile): Func {
  return takes3(text, text, int, (context, source, value, count) => {
    const found = findAll(compile(context, source), value, count < 0 ? value.length + 1 : count)
    return found.length === 0
      ? nilList('[]string')
      : strings(found.map(([start, end]) => value.slice(start, end)))
  })
}

function replace(
  compile: Compile,
  replaced: (
    replacement: string,
    value: string,
    found: MatchOffsets,
    names: readonly string[],
  ) => string,
): Func {
  return takes3(text, text, text, (context, source, value, replacement) => {
    const compiled = compile(context, source)
    const find = compiled.in(value)
    let out = ''
    let lastEnd = 0
    for (let position = 0; position <= value.length;) {
      const found = find(position)
      if (found === undefined) break
      const [start = 0, end = 0] = found
      out += value.slice(lastEnd, start)
      if (end > lastEnd || start === 0) out += replaced(replacement, value, found, compiled.names)
      context.budget.fits(out.length)
      lastEnd = end
      const { size } = decodeRune(value, position)
      position = Math.max(position + Math.max(size, 1), end)
    }
    return out + value.slice(lastEnd)
  })
}

function split(compile: Compile): Func {
  return takes3(text, text, int, (context, source, value, count) =>
    splitAt(compile(context, source), value, count),
  )
}

function splitAt(given: Pattern, value: string, count: number): List {
  if (count === 0) return nilList('[]string')
  if (given.source.length > 0 && value.length === 0) return strings([''])
  const parts: string[] = []
  let begin = 0
  let end = 0
  for (const [from = 0, to = 0] of findAll(given, value, count < 0 ? value.length + 1 : count)) {
    if (count > 0 && parts.length === count - 1) break
    end = from
    if (to !== 0) parts.push(value.slice(begin, end))
    begin = to
  }
  if (end !== value.length) parts.push(value.slice(begin))
  return strings(parts)
}
