/** How something grows, as a plot in SVG that any page shows. */

export type Curve = {
  readonly title: string
  readonly across: string
  readonly up: string
  readonly points: readonly (readonly [number, number])[]
}

const [width, height] = [560, 320]
const edge = { left: 70, right: 20, top: 40, bottom: 50 }

export function isCurve(row: object): row is Curve {
  return 'points' in row
}

/** The dashed line is straight growth from the first point. */
export function plotOf({ title, across, up, points }: Curve): string {
  const most = { x: Math.max(...points.map(([x]) => x)), y: 0 }
  const [first = [1, 0]] = points
  const straight = (x: number): number => (first[1] * x) / first[0]
  most.y = Math.max(straight(most.x), ...points.map(([, y]) => y)) * 1.05 || 1
  const x = (value: number): string =>
    (edge.left + (value / most.x) * (width - edge.left - edge.right)).toFixed(1)
  const y = (value: number): string =>
    (height - edge.bottom - (value / most.y) * (height - edge.top - edge.bottom)).toFixed(1)
  const text = (left: string, top: string, words: string, more = ''): string =>
    `<text x="${left}" y="${top}"${more}>${words}</text>`
  const centred = ' text-anchor="middle"'
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    text(String(width / 2), '20', title, `${centred} font-size="14"`),
    `<path d="M${x(0)} ${y(most.y)}V${y(0)}H${x(most.x)}" fill="none" stroke="#333"/>`,
    `<path d="M${x(first[0])} ${y(first[1])}L${x(most.x)} ${y(straight(most.x))}" stroke="#999" stroke-dasharray="4 4"/>`,
    `<polyline points="${points.map(([a, b]) => `${x(a)},${y(b)}`).join(' ')}" fill="none" stroke="#06c" stroke-width="2"/>`,
    ...points.map(([a, b]) => `<circle cx="${x(a)}" cy="${y(b)}" r="3.5" fill="#06c"/>`),
    ...points.map(([a]) => text(x(a), String(height - edge.bottom + 18), shown(a), centred)),
    ...points.map(([, b]) => text(String(edge.left - 6), y(b), shown(b), ' text-anchor="end"')),
    text(String(width / 2), String(height - 8), across, centred),
    text('12', String(edge.top - 8), up),
    '</svg>',
    '',
  ].join('\n')
}

function shown(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)
}
