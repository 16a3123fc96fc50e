/** Points in time on a command line: a duration before or after now, or a time in RFC 3339. */
import { usageProblem } from './usage.ts'
import { defined } from '#model/defined.ts'

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `direction`: -1 for `24h` ago, 1 for `30d` from now. */
export function momentOf(
  flag: string,
  text: string | undefined,
  now: number,
  direction: 1 | -1,
): number | undefined {
  if (text === undefined) return undefined
  const [, size, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  if (unit !== undefined) return now + direction * Number(size) * defined(units[unit])
  const at = Date.parse(text)
  if (/^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(at)) return at
  throw usageProblem(
    `--${flag}: ${JSON.stringify(text)} is not a time`,
    'write 30m, 24h, 7d or 2026-01-31T12:00:00Z',
  )
}
