/** The tree of a regular expression, and the error that Go gives for one it cannot read. */
import { GoError } from '../errors.ts'

export type RuneTest = (rune: number) => boolean
export type Assertion = 'lineStart' | 'lineEnd' | 'textStart' | 'textEnd' | 'word' | 'noWord'
export type Regex =
  | { readonly kind: 'empty' }
  | { readonly kind: 'rune'; readonly test: RuneTest }
  | { readonly kind: 'assert'; readonly what: Assertion }
  | { readonly kind: 'concat' | 'alternate'; readonly parts: readonly Regex[] }
  | { readonly kind: 'capture'; readonly index: number; readonly part: Regex }
  | {
      readonly kind: 'repeat'
      readonly part: Regex
      readonly min: number
      /** undefined has no end. */
      readonly max: number | undefined
      readonly isGreedy: boolean
    }

export function syntaxError(problem: string, text: string): GoError {
  return new GoError(`error parsing regexp: ${problem}: \`${text}\``)
}
