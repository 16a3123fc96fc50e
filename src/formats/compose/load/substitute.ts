/** `$NAME` and `${NAME…}` in one text, with every operator, nested, and `$$` for a dollar. */

import type { Release } from '../canonical/release.ts'
import type { SourceLocation } from '../yaml/source.ts'

export type Lookup = (name: string) => string | undefined
export type Substitution = {
  readonly release: Release
  readonly lookup: Lookup
  readonly warn: (message: string, place?: SourceLocation) => void
  /** whether a variable's value must not be quoted */
  readonly isSecret?: (name: string, value: string) => boolean
}

/** Why a text could not be substituted; the caller knows where it stands. */
export class SubstitutionError extends Error {
  readonly suggestion: string | undefined
  /** Without a word of the text itself. */
  readonly inShort: string

  constructor(message: string, suggestion?: string, inShort = message) {
    super(message)
    this.suggestion = suggestion
    this.inShort = inShort
  }
}

/** Enough for any default within a default, too little to exhaust the stack. */
const deepest = 100
/** Values that multiply each other stop here. */
const longest = 4 * 1024 * 1024

export function substitute(template: string, to: Substitution, depth = 0): string {
  let at = template.indexOf('$')
  if (at === -1) return template
  if (depth > deepest) throw new SubstitutionError(`variables are nested more than ${deepest} deep`)
  const line: Line = { end: -1, lastBrace: -1 }
  let result = ''
  let last = 0
  while (at !== -1) {
    const found = variableAt(template, at, line)
    result += template.slice(last, at) + valueFor(found, to, depth)
    if (result.length > longest) throw new SubstitutionError('the text grows beyond 4 MiB')
    last = found.end
    at = template.indexOf('$', last)
  }
  return result + template.slice(last)
}

/** A variable and the text up to its end; without a name it stands for `literal`. */
type Variable = {
  readonly name: string
  readonly operator: string
  readonly operand: string
  readonly literal: string
  readonly end: number
}

/** The line that the search is in, and the last brace on it: no variable goes beyond. */
type Line = { end: number; lastBrace: number }

const namePattern = /[_a-z][_a-z0-9]*/iuy
const operatorPattern = /:?[-+?]/y

function variableAt(template: string, at: number, line: Line): Variable {
  const bare = { name: '', operator: '', operand: '', literal: '$' }
  const next = template[at + 1]
  if (next === '$') return { ...bare, end: at + 2 }
  const isBraced = next === '{'
  const start = at + (isBraced ? 2 : 1)
  const name = matchAt(namePattern, template, start)
  const after = start + name.length
  if (!isBraced) return name === '' ? { ...bare, end: at + 1 } : { ...bare, name, end: after }
  if (name !== '' && template[after] === '}') return { ...bare, name, end: after + 1 }
  const operator = name === '' ? '' : matchAt(operatorPattern, template, after)
  const from = after + operator.length
  if (operator === '' || lastBraceFrom(template, from, line) < from) {
    throw new SubstitutionError(
      `"${template}" is not a valid substitution`,
      'write $$ for a plain dollar sign',
      'a variable in the value is not written as one',
    )
  }
  const close = closingBrace(template, at + 1, line.lastBrace)
  return { name, operator, operand: template.slice(from, close), literal: '', end: close + 1 }
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}

function lastBraceFrom(template: string, at: number, line: Line): number {
  if (at > line.end) {
    const end = template.indexOf('\n', at)
    line.end = end === -1 ? template.length : end
    line.lastBrace = template.lastIndexOf('}', line.end)
  }
  return line.lastBrace
}

/** An opening brace swallows the character after it, as in the reference: `{}` does not close. Else the last brace does. */
function closingBrace(template: string, from: number, last: number): number {
  let open = 0
  for (let i = from; i <= last; i++) {
    if (template[i] === '}' && --open === 0) return i
    if (template[i] === '{') {
      open++
      i++
    }
  }
  return last
}

/** Release 2 substitutes what the operator stands beside even when it is not needed, and warns of it. */
function valueFor(variable: Variable, to: Substitution, depth: number): string {
  const { name, operator, literal } = variable
  if (name === '') return literal
  if (operator === '') {
    const value = to.lookup(name)
    if (value === undefined)
      to.warn(`The "${name}" variable is not set. Defaulting to a blank string.`)
    return value ?? ''
  }
  const early = to.release === 2 ? substitute(variable.operand, to, depth + 1) : undefined
  const value = to.lookup(name)
  const isSet = value !== undefined && (value !== '' || !operator.startsWith(':'))
  const sign = operator.at(-1)
  if (isSet ? sign !== '+' : sign === '+') return value ?? ''
  const operand = early ?? substitute(variable.operand, to, depth + 1)
  if (sign === '-' || sign === '+') return operand
  throw new SubstitutionError(
    `the variable ${name} is required but has no value${operand === '' ? '' : `: ${operand}`}`,
    `set ${name}, or give it a default: \${${name}:-…}`,
    `the variable ${name} is required but has no value`,
  )
}
