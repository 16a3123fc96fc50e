/** The two shapes that output is made of: boxes with a title, and rows under the titles of their kinds. */
import { kindOf, nameOf, type Ref } from '#model/ref.ts'
import { mark, type Indicator, type Paint } from './paint.ts'
import { kindsOf, titleOf } from './labels.ts'

const inner = 61

/** A title in a box, with a blank line before and after. */
export function box(title: string): readonly string[] {
  const rule = '─'.repeat(inner)
  return ['', `┌${rule}┐`, `│ ${title.padEnd(inner - 1)}│`, `└${rule}┘`, '']
}

export type Row = {
  readonly ref: Ref
  readonly indicator: Indicator
  readonly words: string
  /** Lines below the row, without their indentation. */
  readonly below?: readonly string[]
}

/** Names are padded to column 19, or to the longest and two more. */
export function nameWidth(refs: readonly Ref[]): number {
  return refs.reduce((widest, ref) => Math.max(widest, nameOf(ref).length + 2), 19)
}

/** A section for each kind that has rows, with a blank line between sections. */
export function sections(
  rows: readonly Row[],
  paint: Paint,
  isReversed = false,
): readonly string[] {
  const width = nameWidth(rows.map((row) => row.ref))
  const kinds = kindsOf(rows.map((row) => row.ref))
  return (isReversed ? kinds.toReversed() : kinds).flatMap((kind, index) => [
    ...(index > 0 ? [''] : []),
    `${titleOf(kind)}:`,
    ...rows.filter((row) => kindOf(row.ref) === kind).flatMap((row) => rowLines(row, width, paint)),
  ])
}

function rowLines(row: Row, width: number, paint: Paint): readonly string[] {
  const name = nameOf(row.ref).padEnd(width)
  const below = (row.below ?? []).map((line) => `    ${line}`)
  return [`  ${mark(row.indicator, paint)} ${name}${row.words}`, ...below]
}
