/** Turns what a terminal showed, with the times at which it did, into an SVG that plays it once. Pure. */

export type Shown = {
  /** Seconds from the start. */
  readonly at: number
  /** One line, colours as a terminal writes them. */
  readonly line: string
}

const row = 17
const column = 8.2
const margin = 14
const colours: Readonly<Record<string, string>> = {
  '2': 'd',
  '31': 'r',
  '32': 'g',
  '33': 'y',
  '34': 'b',
}

export function terminalSvg(shown: readonly Shown[], columns: number, rows: number): string {
  const width = Math.ceil(columns * column + 2 * margin)
  const height = rows * row + 2 * margin
  const end = (shown.at(-1)?.at ?? 0) + 1
  const lines = shown.map(({ at, line }, index) => {
    const y = margin + (index + 0.8) * row
    return `<text class="l" y="${y.toFixed(1)}" style="animation-delay:${at.toFixed(2)}s">${spans(line)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="A recording of a terminal">
<style>
text{font:13.5px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#d6dee8;white-space:pre}
.l{visibility:hidden;animation:show 0s linear forwards}
.s{animation:scroll ${end.toFixed(2)}s step-end forwards}
.d{fill:#7f8a99}.r{fill:#ff7b72}.g{fill:#7ee787}.y{fill:#f2cc60}.b{fill:#79c0ff}.p{fill:#7ee787}
@keyframes show{to{visibility:visible}}
@keyframes scroll{${scrolls(shown, rows, end)}}
@media (prefers-reduced-motion:reduce){.l{visibility:visible;animation:none}.s{animation-duration:0s}}
</style>
<rect width="100%" height="100%" rx="8" fill="#10161d"/>
<svg x="${margin}" y="0" width="${width - 2 * margin}" height="${height - 4}"><g class="s">
${lines.join('\n')}
</g></svg>
</svg>
`
}

/** One step each time a line would stand below the last row. */
function scrolls(shown: readonly Shown[], rows: number, end: number): string {
  const steps = shown.flatMap(({ at }, index) =>
    index < rows
      ? []
      : [`${percent(at, end)}{transform:translateY(-${(index + 1 - rows) * row}px)}`],
  )
  const last = Math.max(0, shown.length - rows) * row
  return `0%{transform:none}${steps.join('')}100%{transform:translateY(-${last}px)}`
}

function percent(at: number, end: number): string {
  return `${((at / end) * 100).toFixed(2)}%`
}

/** Parts of one colour each. */
function spans(line: string): string {
  const prompt = line.startsWith('$ ') ? '<tspan class="p">$ </tspan>' : ''
  const rest = prompt === '' ? line : line.slice(2)
  let colour: string | undefined
  // oxlint-disable-next-line no-control-regex
  const parts = rest.split(/\u001b\[([\d;]*)m/)
  const out = parts.map((part, index) => {
    if (index % 2 === 1) {
      colour = colours[part]
      return ''
    }
    if (part === '') return ''
    return colour === undefined
      ? escaped(part)
      : `<tspan class="${colour}">${escaped(part)}</tspan>`
  })
  return prompt + out.join('')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
