/** `$NAME` and `${NAME…}` in one text, with every operator, nested to any depth, and `$$` for a dollar. */

export type Lookup = (name: string) => string | undefined
export type Substitution = { readonly lookup: Lookup; readonly warn: (message: string) => void }

/** Why a text could not be substituted; the caller knows where it stands. */
export class SubstitutionError extends Error {
  readonly suggestion: string | undefined

  constructor(message: string, suggestion?: string) {
    super(message)
    this.suggestion = suggestion
  }
}

const variable = /\$(?:(\$)|([_a-z][_a-z0-9]*)|\{(?:([_a-z][_a-z0-9]*(?::?[-+?][^\n]*)?)\}|()))/giu
/** Enough for any default within a default, too little to exhaust the stack. */
const deepest = 100
/** Values that multiply each other stop here. */
const longest = 4 * 1024 * 1024

export function substitute(template: string, to: Substitution, depth = 0): string {
  if (!template.includes('$')) return template
  if (depth > deepest) throw new SubstitutionError(`variables are nested more than ${deepest} deep`)
  let result = ''
  let last = 0
  for (const match of template.matchAll(variable)) {
    result += template.slice(last, match.index) + replacement(match[0], template, to, depth)
    last = match.index + match[0].length
    if (result.length > longest) throw new SubstitutionError('the text grows beyond 4 MiB')
  }
  return result + template.slice(last)
}

/** The pattern takes all up to the last brace of the line; what is beyond the matching one is substituted on its own. */
function replacement(found: string, template: string, to: Substitution, depth: number): string {
  const end = closingBrace(found)
  const rest = end === -1 ? '' : found.slice(end + 1)
  const own = end === -1 ? found : found.slice(0, end + 1)
  variable.lastIndex = 0
  const match = new RegExp(variable.source, 'iu').exec(own)
  if (match?.[1] !== undefined) return '$'
  if (match?.[2] !== undefined) return valueOf(match[2], to)
  const braced = match?.[3]
  if (braced === undefined) {
    throw new SubstitutionError(
      `"${template}" is not a valid substitution`,
      'write $$ for a plain dollar sign',
    )
  }
  const operator = /:?[-+?]/.exec(braced)
  if (operator === null) return valueOf(braced, to)
  const name = braced.slice(0, operator.index)
  const operand = substitute(braced.slice(operator.index + operator[0].length), to, depth + 1)
  const value = operated(name, operator[0], operand, to)
  return value + substitute(rest, to, depth + 1)
}

function operated(name: string, operator: string, operand: string, to: Substitution): string {
  const value = to.lookup(name)
  const isSet = value !== undefined && (value !== '' || !operator.startsWith(':'))
  const sign = operator.at(-1)
  if (sign === '-') return isSet ? value : operand
  if (sign === '+') return isSet ? operand : (value ?? '')
  if (isSet) return value
  throw new SubstitutionError(
    `the variable ${name} is required but has no value${operand === '' ? '' : `: ${operand}`}`,
    `set ${name}, or give it a default: \${${name}:-…}`,
  )
}

function valueOf(name: string, to: Substitution): string {
  const value = to.lookup(name)
  if (value === undefined)
    to.warn(`The "${name}" variable is not set. Defaulting to a blank string.`)
  return value ?? ''
}

/** An opening brace swallows the character after it, as in the reference: `{}` does not close. */
function closingBrace(found: string): number {
  let open = 0
  for (let i = 0; i < found.length; i++) {
    if (found[i] === '}' && --open === 0) return i
    if (found[i] === '{') {
      open++
      i++
    }
  }
  return -1
}
