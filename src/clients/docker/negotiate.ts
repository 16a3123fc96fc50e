/** The version of the API that both sides know: the highest, and never below what Tend needs. */
import type { Answer } from '#clients/http/connection.ts'
import { Problem } from '#model/problem.ts'

/** Debian 12's Docker 20.10 and Podman up to 5.7 serve nothing newer. */
const oldest = '1.41'
/** The newest version whose changes we know; newer engines still serve it. */
const newest = '1.54'

export type Range = {
  /** Highest and lowest that the engine serves; empty when it does not say. */
  readonly highest: string
  readonly lowest: string
}

/** `place` names the engine in the message when there is no version in common. */
export function agreed(range: Range, place: string): string {
  const highest = isVersion(range.highest) ? range.highest : oldest
  const chosen = isBelow(highest, newest) ? highest : newest
  if (isBelow(chosen, oldest)) {
    throw misfit(place, `speaks API ${highest}, and Tend needs at least ${oldest}`, 'upgrade it')
  }
  if (isVersion(range.lowest) && isBelow(chosen, range.lowest)) {
    throw misfit(
      place,
      `wants at least API ${range.lowest}, and this Tend speaks up to ${newest}`,
      'upgrade Tend',
    )
  }
  return chosen
}

/** A ping shows only the highest version. The lowest matters, and is asked for, only when the highest is beyond ours. */
export function isBeyondOurs(highest: string): boolean {
  return !isVersion(highest) || isBelow(newest, highest)
}

export function apiVersionOf(answer: Answer): string {
  const header = answer.headers['api-version']
  return typeof header === 'string' ? header : ''
}

/** Whether the engine was replaced by one that no longer serves the version that was agreed on. */
export function isVersionRefusal(status: number, text: string): boolean {
  return status === 400 && /client version .* is too (new|old)/i.test(text)
}

/** Whether an agreed version is at least this one. */
export function isAtLeast(version: string, wanted: string): boolean {
  return !isBelow(version, wanted)
}

function isVersion(text: string): boolean {
  return /^\d+\.\d+$/.test(text)
}

function isBelow(one: string, other: string): boolean {
  const [major = 0, minor = 0] = one.split('.').map(Number)
  const [otherMajor = 0, otherMinor = 0] = other.split('.').map(Number)
  return major < otherMajor || (major === otherMajor && minor < otherMinor)
}

function misfit(place: string, why: string, what: string): Problem {
  return new Problem({
    type: 'configuration',
    code: 'not_possible_here',
    message: `the engine at ${place} ${why}`,
    suggestion: what,
  })
}
