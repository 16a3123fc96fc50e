/** Keywords of numbers and texts. */
import { goRegExp } from '../regexp/go-regexp.ts'
import { PatternError } from '../regexp/error.ts'
import { isMultiple } from './equality.ts'
import { fitsFormat } from './formats.ts'
import type { Path } from './references.ts'
import { SchemaError } from './schema-error.ts'

type Field = (name: string) => unknown

/** Up to draft 4 `exclusiveMinimum` is a flag beside `minimum`. */
export function faultsOfNumber(value: number, field: Field, draft: number): readonly string[] {
  const faults: string[] = []
  const [least, most] = [field('minimum'), field('maximum')]
  const [above, under] = [field('exclusiveMinimum'), field('exclusiveMaximum')]
  if (typeof least === 'number') {
    const isOpen = draft === 4 && above === true
    if (isOpen ? value <= least : value < least)
      faults.push(isOpen ? `expected more than ${least}` : `expected at least ${least}`)
  }
  if (typeof most === 'number') {
    const isOpen = draft === 4 && under === true
    if (isOpen ? value >= most : value > most)
      faults.push(isOpen ? `expected less than ${most}` : `expected at most ${most}`)
  }
  if (typeof above === 'number' && value <= above) faults.push(`expected more than ${above}`)
  if (typeof under === 'number' && value >= under) faults.push(`expected less than ${under}`)
  const step = field('multipleOf')
  if (typeof step === 'number' && !isMultiple(value, step))
    faults.push(`expected a multiple of ${step}`)
  return faults
}

export function faultsOfText(
  value: string,
  field: Field,
  draft: number,
  path: Path,
): readonly string[] {
  const faults: string[] = []
  const { length } = Array.from(value)
  const [least, most, pattern, format] = [
    field('minLength'),
    field('maxLength'),
    field('pattern'),
    field('format'),
  ]
  if (typeof least === 'number' && length < least)
    faults.push(
      least === 1 ? 'must not be empty' : `expected at least ${least} characters, found ${length}`,
    )
  if (typeof most === 'number' && length > most)
    faults.push(`expected at most ${most} characters, found ${length}`)
  if (typeof pattern === 'string' && !patternOf(pattern, [...path, 'pattern']).test(value))
    faults.push(`does not fit the pattern ${pattern}`)
  if (draft <= 7 && typeof format === 'string' && !fitsFormat(format, value))
    faults.push(`is not of the format ${format}`)
  return faults
}

export function patternOf(source: string, path: Path): { test(text: string): boolean } {
  try {
    return goRegExp(source)
  } catch (error) {
    if (error instanceof PatternError)
      throw new SchemaError(`the pattern ${source} can't be used: ${error.message}`, path)
    throw error
  }
}
