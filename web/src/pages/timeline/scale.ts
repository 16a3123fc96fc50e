/** Time on a band: which moment is where, ticks at round times, zooming around a point. */

export type Span = { readonly from: number; readonly to: number }

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const steps = [
  second,
  5 * second,
  15 * second,
  30 * second,
  minute,
  5 * minute,
  15 * minute,
  30 * minute,
  hour,
  3 * hour,
  6 * hour,
  12 * hour,
  day,
  2 * day,
  7 * day,
  30 * day,
] as const
const shortest = 10 * second
const longest = 90 * day

/** What one chooses from. */
export const lengths: readonly (readonly [words: string, length: number])[] = [
  ['15 min', 15 * minute],
  ['1 h', hour],
  ['6 h', 6 * hour],
  ['1 day', day],
  ['1 week', 7 * day],
  ['1 month', 30 * day],
]
/** How many of the last entries a time-line begins with. */
export const firstEntries = 20

/** How far back a time-line begins, so that it never opens empty: to the oldest of the last entries. */
export function startLength(times: readonly number[], now: number): number {
  const back = now - Math.min(now, ...times)
  const fits = lengths.find(([, length]) => length >= back)
  return fits?.[1] ?? Math.round(back * 1.05)
}

/** From 0 to 1 where it is inside. */
export function placeOn({ from, to }: Span, at: number): number {
  return (at - from) / (to - from)
}

/** At most so many ticks, at round times of the viewer's own zone. */
export function ticksOf({ from, to }: Span, most: number, offset: number): readonly number[] {
  const step = steps.find((one) => (to - from) / one <= most) ?? steps.at(-1) ?? day
  const first = Math.ceil((from - offset) / step) * step + offset
  const ticks: number[] = []
  for (let at = first; at <= to; at += step) ticks.push(at)
  return ticks
}

/** `by` above 1 shows more time; the moment at `place` stays where it is. */
export function zoomSpan({ from, to }: Span, by: number, place = 0.5): Span {
  const length = Math.min(longest, Math.max(shortest, (to - from) * by))
  const fixed = from + (to - from) * place
  return { from: Math.round(fixed - length * place), to: Math.round(fixed + length * (1 - place)) }
}

export function moveSpan({ from, to }: Span, by: number): Span {
  const length = Math.round((to - from) * by)
  return { from: from + length, to: to + length }
}
