/** `tend upgrade-check WHERE`: whether a place has a newer release. Nothing is asked of the network unless a place is given. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Problem } from '#model/problem.ts'
import { about } from '../about.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { usageProblem } from '../arguments/usage.ts'
import type { CommandContext } from '../session.ts'

export async function upgradeCheck(
  { words, flags }: Invocation,
  context: CommandContext,
): Promise<number> {
  const { screen, signal } = context
  const { version } = about()
  const [place] = words
  if (place === undefined) {
    throw usageProblem(
      `this is tend ${version}; it asks nobody by itself`,
      'name the SHA256SUMS of the releases: tend upgrade-check https://HOST/SHA256SUMS, or a folder',
    )
  }
  const newest = newestOf(await sumsAt(place, signal))
  if (newest === undefined) throw unreadable(place, 'it lists no release of Tend')
  const isNewer = compare(newest, version) > 0
  if (screen.format !== 'table') await screen.document({ version, newest, isNewer })
  else if (isNewer) screen.print([`tend ${newest} is there, and this is ${version}`])
  else screen.print([`tend ${version} is the newest there`])
  return isNewer && flags.hasExitCode ? 3 : 0
}

/** The largest answer, bytes: a list of checksums has a few lines. */
const mostBytes = 1_000_000

async function sumsAt(place: string, signal: AbortSignal): Promise<string> {
  try {
    if (!/^https?:\/\//.test(place)) {
      const file = statSync(place).isDirectory() ? join(place, 'SHA256SUMS') : place
      if (!existsSync(file)) throw unreadable(place, 'there is no SHA256SUMS in this folder')
      return readFileSync(file, 'utf8')
    }
    const limit = AbortSignal.any([signal, AbortSignal.timeout(10_000)])
    const answer = await fetch(place, { signal: limit })
    if (!answer.ok) throw unreadable(place, `it answers ${answer.status}`)
    const text = await answer.text()
    if (text.length > mostBytes) throw unreadable(place, 'it is too large for a list of sums')
    return text
  } catch (thrown) {
    if (thrown instanceof Problem) throw thrown
    throw unreadable(place, reasonOf(thrown))
  }
}

/** The reason of a failed fetch, which is only in its cause. For a missing file Node names its own call. */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  if ('code' in thrown && thrown.code === 'ENOENT') return 'there is no such file or folder'
  if (thrown.name === 'TimeoutError') return 'it did not answer within 10 seconds'
  return thrown.cause instanceof Error ? thrown.cause.message : thrown.message
}

function unreadable(place: string, why: string): Problem {
  return new Problem({
    type: 'configuration',
    code: 'unreachable',
    message: `${place}: ${why}`,
    suggestion: 'give the address or the folder of a SHA256SUMS that npm run release made',
  })
}

function newestOf(sums: string): string | undefined {
  const found = [...sums.matchAll(/ tend-(\d+\.\d+\.\d+)-linux-/g)].map(([, one = '']) => one)
  return found.toSorted(compare).at(-1)
}

/** Compares by numbers: 0.10.0 comes after 0.9.0. */
function compare(one: string, other: string): number {
  const [left, right] = [one, other].map((text) => text.split('.').map(Number))
  const at = [0, 1, 2].find((index) => left?.[index] !== right?.[index])
  return at === undefined ? 0 : (left?.[at] ?? 0) - (right?.[at] ?? 0)
}
