/** Durations as tend.yaml has them: 30s, 5m, 1h30m. */
import * as z from 'zod/mini'
import { parseDuration } from '#formats/compose/canonical/units.ts'
import { bad, rule } from '#formats/schema/rule.ts'

/** The duration in ms; undefined when the text is no duration. */
export function durationOf(text: string | number): number | undefined {
  const nanoseconds = parseDuration(String(text))
  if (nanoseconds === undefined || nanoseconds < 0n) return undefined
  return Number(nanoseconds / 1_000_000n)
}

/** Node's timers take no longer ones. */
const longest = 24 * 86_400_000

export function duration(least = 1): z.ZodMiniType<string | number, string | number> {
  return z.union([z.string(), z.number()]).check(
    z.meta({ examples: ['30s', '5m', '1h30m'] }),
    rule((value) => {
      const found = durationOf(value)
      if (found === undefined)
        return bad(`${JSON.stringify(value)} is not a duration`, written(value))
      if (found > longest) return bad(`${JSON.stringify(value)} is too long`, 'at most 24d')
      if (found >= least) return undefined
      return bad(`${JSON.stringify(value)} is too short`, `at least ${shownDuration(least)}`)
    }),
  )
}

function written(value: string | number): string {
  return /^\d+(\.\d+)?$/.test(String(value))
    ? `write ${value}s for seconds, ${value}m for minutes`
    : 'write it like 30s, 5m or 1h30m'
}

/** `5m`, `1h`, `90s`: the largest unit that fits. */
function shownDuration(milliseconds: number): string {
  for (const [unit, length] of units) {
    if (milliseconds >= length && milliseconds % length === 0)
      return `${milliseconds / length}${unit}`
  }
  return `${milliseconds}ms`
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const
