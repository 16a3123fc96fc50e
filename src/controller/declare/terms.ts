/** The words of tend.yaml: durations, places of secrets, addresses, names. */
import * as z from 'zod/mini'
import { parseDuration } from '#formats/compose/units.ts'
import { bad, rule } from '#formats/schema/rule.ts'
import { filled } from '#formats/schema/terms.ts'

/** Milliseconds; undefined when it is no duration. */
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
export function shownDuration(milliseconds: number): string {
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

const variableName = z.string().check(
  z.meta({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$' }),
  rule((value) =>
    /^[A-Za-z_][A-Za-z0-9_]*$/.test(value) ? undefined : bad('is not the name of a variable'),
  ),
)

/** Named, never held. */
export const secretFrom = z.union([
  z.strictObject({ file: filled.check(z.describe('A file with nothing else in it')) }),
  z.strictObject({ variable: variableName.check(z.describe("A variable of Tend's environment")) }),
])

/** What Compose takes for a project. */
export const projectName = /^[a-z0-9][a-z0-9_-]*$/

/** `stack:web`, `chart:shop`, `chart:staging/shop`. */
export const appKey = z.string().check(
  z.meta({ pattern: '^(stack|chart|kustomization):.+$', examples: ['stack:db'] }),
  rule((value) => {
    if (/^(stack|chart|kustomization):\S+$/.test(value)) return undefined
    const message = `${JSON.stringify(value)} is not the key of an application`
    return bad(
      message,
      /^[\w.-]+$/.test(value) ? `write stack:${value} or chart:${value}` : undefined,
    )
  }),
)

/** An address of the web that is no secret. A user's name and password do not belong there. */
export const webAddress = z.string().check(
  z.meta({ format: 'uri' }),
  rule((value) => {
    const url = URL.parse(value)
    if (url === null || !/^https?:$/.test(url.protocol)) {
      return bad('is not an address', 'write it as https://example.org/path')
    }
    if (url.username === '' && url.password === '') return undefined
    return bad('holds credentials, which every log would show', 'name them under token or secret')
  }),
)
