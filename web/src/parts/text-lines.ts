/** Two texts line by line: what left, what came, what stayed. */
import { diffLines } from 'diff'

export type TextLine = { readonly sign: '+' | '-' | ' '; readonly text: string }

export function textLines(from: string, to: string): readonly TextLine[] {
  return diffLines(from, to).flatMap(({ added, removed, value }) =>
    value
      .replace(/\n$/, '')
      .split('\n')
      .map((text): TextLine => ({ sign: added ? '+' : removed ? '-' : ' ', text })),
  )
}
