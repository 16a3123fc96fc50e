/** What trees of syntax are made of. */
import type { ScalarStyle } from './scanner.ts'

/** A tag is written out (`tag:yaml.org,2002:str`); without one, and without an anchor, the texts are empty. */
type Common = { readonly offset: number; readonly tag: string; readonly anchor: string }
export type SyntaxScalar = Common & {
  readonly kind: 'scalar'
  readonly value: string
  readonly style: ScalarStyle
}
type SyntaxAlias = { readonly kind: 'alias'; readonly name: string; readonly offset: number }
/** `isFlow`: it is written in brackets. */
export type SyntaxList = Common & {
  readonly kind: 'list'
  readonly isFlow: boolean
  readonly items: readonly Syntax[]
}
export type SyntaxMap = Common & {
  readonly kind: 'map'
  readonly isFlow: boolean
  readonly pairs: readonly Pair[]
}
/** `colon` is the offset of the `:` between the two; -1: there is none. */
export type Pair = { readonly key: Syntax; readonly value: Syntax; readonly colon: number }
export type Syntax = SyntaxScalar | SyntaxAlias | SyntaxList | SyntaxMap

/** A value that is not written. */
export function empty(offset: number, tag = '', anchor = ''): SyntaxScalar {
  return { kind: 'scalar', value: '', style: 'plain', offset, tag, anchor }
}
