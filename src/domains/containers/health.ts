/** How a container is, from a list of all of them and from the events of its engine: no call is made for it. Pure. */
import type { ListedHealth } from '#model/connection.ts'
import type { Look } from '#model/domain.ts'
import { isUnstarted, meaningOf, neverStarted } from './look.ts'

/** One end that nobody of ours brought about. */
export type End = {
  readonly at: number
  readonly exitCode: number | undefined
  readonly isOutOfMemory: boolean
}

export type ContainerHealth = Look & {
  /** It ends again and again, and the engine starts it again and again. */
  readonly isLooping?: boolean
  /** When the same facts mean something else, ms. */
  readonly until?: number
}

/** So many ends, one soon after the other, are a crash loop. */
const loopEnds = 3
/** Ends further apart have nothing to do with each other, ms. */
const farApart = 5 * 60_000
/** An engine that starts a container again does so within this time, or says that it waits, ms. */
export const untilStarted = 3_000
/** What was made and not started for so long is not going to be: nobody of ours waits between the two, ms. */
const untilUnstarted = 10_000
/** One that ended once and runs again is watched for so long, ms. */
const afterEnd = 10_000
/** What looped is well when it ran for twice the time that it usually lasts, and for this long at least and at most, ms. */
const [leastQuiet, mostQuiet] = [30_000, 10 * 60_000]

/** `checked`: the last look at its check, where lists do not tell of it. */
export function healthOfContainer(
  listed: ListedHealth,
  ends: readonly End[],
  checked: Look | undefined,
  now: number,
): ContainerHealth {
  const { state, isOneShot } = listed
  const facts = { restartCount: ends.length, exitCode: listed.exitCode ?? ends.at(-1)?.exitCode }
  if (state === 'paused') return { state: 'failed', message: 'it is paused', ...facts }
  const isRunning = state === 'running' || state === 'stopping'
  if (isCompleted({ state, isOneShot, exitCode: facts.exitCode ?? 0 })) {
    return { state: 'ok', message: 'it ended with exit code 0', ...facts }
  }
  const loop = loopIn(ends, isRunning, now)
  if (loop !== undefined) return { ...loop, ...facts }
  if (isUnstarted(state)) return { ...unstarted(listed, checked, now), ...facts }
  if (!isRunning && !isEnd(state) && state !== 'restarting') {
    return { state: 'waiting', message: `it is ${state}`, ...facts }
  }
  if (!isRunning) {
    const until = startsUntil(listed, ends)
    const message = endWords(facts.exitCode, ends)
    const isComing = state === 'restarting' || (until !== undefined && now < until)
    if (!isComing) return { state: 'failed', message, ...facts }
    return { state: 'waiting', message, ...facts, ...(until === undefined ? {} : { until }) }
  }
  return { ...(checkedHealth(listed, checked) ?? running(ends, now)), ...facts }
}

/** It was meant to end, and ended well. */
export function isCompleted({
  state,
  isOneShot,
  exitCode,
}: Pick<ListedHealth, 'state' | 'isOneShot' | 'exitCode'>): boolean {
  return isOneShot && isEnd(state) && exitCode === 0
}

/** Until when an engine may still start it again by itself, ms; undefined: it does not. */
export function startsUntil(
  { restarts, endedAt }: Pick<ListedHealth, 'restarts' | 'endedAt'>,
  ends: readonly End[],
): number | undefined {
  if (!restarts) return undefined
  return Math.max(endedAt ?? 0, ends.at(-1)?.at ?? 0) + untilStarted
}

/** Ends that still count: only the newest, and each soon after the one before. */
export function closeEnds(ends: readonly End[]): readonly End[] {
  const kept = ends.slice(-20)
  const apart = kept.findLastIndex((end, index) => {
    const before = kept[index - 1]
    return before !== undefined && end.at - before.at > farApart
  })
  return apart < 0 ? kept : kept.slice(apart)
}

export function isEnd(state: string): boolean {
  return ['exited', 'dead', 'stopped', 'removing'].includes(state)
}

/** `checked`: a look at it has the engine's words for why it could not start. */
function unstarted(
  { unstartedAt }: ListedHealth,
  checked: Look | undefined,
  now: number,
): ContainerHealth {
  if (checked?.state === 'failed') return { state: 'failed', message: checked.message }
  const until = (unstartedAt ?? now) + untilUnstarted
  if (now >= until) return { state: 'failed', message: neverStarted }
  return { state: 'waiting', message: 'it has not started yet', until }
}

/** One state from the third end until it held: whether a look finds it running or waiting is chance. */
function loopIn(
  ends: readonly End[],
  isRunning: boolean,
  now: number,
): ContainerHealth | undefined {
  const [first, last] = [ends[0], ends.at(-1)]
  if (first === undefined || last === undefined || ends.length < loopEnds) return undefined
  const usual = (last.at - first.at) / (ends.length - 1)
  const quiet = Math.min(Math.max(leastQuiet, 2 * usual), mostQuiet)
  const until = last.at + quiet
  if (isRunning && now >= until) return undefined
  const message = `${endWords(last.exitCode, ends)}, again and again (${ends.length} times)`
  return { state: 'failed', message, isLooping: true, ...(isRunning ? { until } : {}) }
}

function checkedHealth(
  { health, checkEvery }: ListedHealth,
  checked: Look | undefined,
): ContainerHealth | undefined {
  if (health === 'healthy') return { state: 'ok', message: 'its health check passed' }
  if (health === 'unhealthy') {
    const isTold = checked?.state === 'failed'
    return { state: 'failed', message: isTold ? checked.message : 'its health check failed' }
  }
  if (health === 'starting') return { state: 'waiting', message: 'its health was not checked yet' }
  if (checkEvery === undefined) return undefined
  return checked ?? { state: 'waiting', message: 'its health was not checked yet' }
}

/** What nobody declared a check for is well while it runs. */
function running(ends: readonly End[], now: number): ContainerHealth {
  const last = ends.at(-1)
  const until = (last?.at ?? 0) + afterEnd
  if (last === undefined || now >= until) return { state: 'ok', message: 'it runs' }
  const message = `${endWords(last.exitCode, ends)} and runs again`
  return { state: 'waiting', message, until }
}

function endWords(exitCode: number | undefined, ends: readonly End[]): string {
  const memory = ends.at(-1)?.isOutOfMemory === true
  if (memory) return 'it was killed for want of memory'
  return exitCode === undefined
    ? 'it ended'
    : `it ended with exit code ${exitCode}${meaningOf(exitCode)}`
}
