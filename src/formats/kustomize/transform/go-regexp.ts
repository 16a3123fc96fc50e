/** Patterns of a kustomization: those that can't be read are its mistakes. */
import { goRegExp as read, type Pattern } from '../../regexp/go-regexp.ts'
import { PatternError } from '../../regexp/error.ts'
import { fail } from '../error.ts'

export type { Pattern } from '../../regexp/go-regexp.ts'

export function goRegExp(pattern: string): Pattern {
  try {
    return read(pattern)
  } catch (error) {
    if (error instanceof PatternError) return fail(error.message)
    throw error
  }
}
