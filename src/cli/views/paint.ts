/** Colours as a function that may do nothing, the indicators with theirs, and what keeps foreign text harmless. */
import { stripVTControlCharacters, styleText } from 'node:util'
import { escapeControls, removeControls } from '#model/control-characters.ts'
import { withoutSecretShapes } from '#model/secret-shapes.ts'

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

/** Text from logs and servers, without sequences that a terminal obeys and without tokens. */
export function harmless(text: string): string {
  return withoutSecretShapes(removeControls(stripVTControlCharacters(text)))
}

// green, red, yellow, blue and dim, as `coloured` writes them
// oxlint-disable-next-line no-control-regex
const ownColours = /(\u001b\[(?:3[1-4]|39|2|22)m)/

/** The last step before a terminal: only our own colours get through, so that nothing can be hidden. What a program reads is left as it is. */
export function forTerminal(text: string): string {
  const ended = text.replaceAll(/\r+(?=\n|$)/g, '')
  return ended
    .split(ownColours)
    .map((part, index) => (index % 2 === 1 ? part : escapeControls(part)))
    .join('')
}
