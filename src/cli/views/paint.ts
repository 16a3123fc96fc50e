/** Colours as a function that may do nothing, the indicators with theirs, and what keeps foreign text harmless. */
import { stripVTControlCharacters, styleText } from 'node:util'

type Colour = 'green' | 'red' | 'yellow' | 'blue' | 'dim'

export type Paint = (colour: Colour, text: string) => string

export function plain(_colour: Colour, text: string): string {
  return text
}

export function coloured(colour: Colour, text: string): string {
  return styleText(colour, text, { validateStream: false })
}

const colours = {
  '✓': 'green',
  '✗': 'red',
  '~': 'yellow',
  '+': 'green',
  '-': 'red',
  '→': 'blue',
} as const

export type Indicator = keyof typeof colours

export function mark(indicator: Indicator, paint: Paint): string {
  return paint(colours[indicator], indicator)
}

// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u0008\u000b-\u001f\u007f]/g

/** Logs and answers of servers may hold sequences that a terminal obeys: they are shown without. */
export function harmless(text: string): string {
  return stripVTControlCharacters(text).replace(control, '')
}
