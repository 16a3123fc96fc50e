/** Writes durations as people say them. */
import { count } from './labels.ts'

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** "3 minutes", in the largest unit that fits. */
export function span(milliseconds: number): string {
  const [unit, size] = units.find(([, length]) => milliseconds >= length) ?? ['second', 1000]
  return count(Math.max(0, Math.floor(milliseconds / size)), unit)
}

export function ago(milliseconds: number): string {
  return `${span(milliseconds)} ago`
}
