/** One engine as the service sees it: one client, one stream of events, one round of looks for all applications there. */
import { isEnd, startsUntil, untilStarted } from '#domains/containers/health.ts'
import type { Clock } from '#model/clock.ts'
import { Problem, problemOf } from '#model/problem.ts'
import type { LoadedKind, ServiceConnection } from '#model/application-kind.ts'
import type { Connection, ContainerNews, Listing, News, SeenContainer } from '#model/connection.ts'
import { createContainerRecords, type ContainerRecords } from './container-records.ts'
import { keepChecking } from './health-checks.ts'
import { coalesceCalls } from '../coalesce-calls.ts'
import type { Log } from '#model/log.ts'
import { sleepOrStop } from '#engine/sleep-or-stop.ts'
import { isLate, outageOf, silent } from './outage.ts'
import { defined } from '#model/defined.ts'

export type TargetMonitor = {
  readonly kind: LoadedKind
  /** What was heard of its containers. */
  readonly records: ContainerRecords
  readonly isOffered: boolean
  address(): string
  /** Why it can't be seen. */
  problem(): Problem | undefined
  /** Since when it is away, or back, ms. */
  since(): number
  /** As it was last seen; undefined before, and while it can't be. */
  listing(): Listing | undefined
  /**
   * How often something changed there that may end a failure of this owner, if it is of this code: the engine was away and is back,
   * others made or removed something of the owner, an image came; and where something of strangers is in the way, that they ended or
   * removed something of theirs.
   */
  epoch(owner: string, code: string | undefined): number
  /** How often others made, removed or changed something of this owner there. */
  changes(owner: string): number
  /** Throws the problem when there is no engine. */
  connection(): Connection
  /** A look that begins after this call. */
  look(): Promise<void>
  /** Listens, and looks from time to time, until it is told to stop. */
  keep(stop: AbortSignal): Promise<void>
  close(): void
}

type MonitorHooks = ServiceConnection & {
  /** How often everything is looked at, ms. */
  interval(): number
  /** After each look, whatever came of it. */
  looked(monitor: TargetMonitor): Promise<void>
  /** Something of this owner goes on there; without one, of anybody of ours. */
  isBusy(monitor: TargetMonitor, owner: string | undefined): boolean
  /** What the application of this owner comes from. */
  readonly sourceOf: (owner: string) => string
  /** Something of others changed. */
  changed(): void
  /** Hears when the engine goes away and when it is back. */
  readonly log?: Log
}

const [pingEvery, pingPatience, redial, longestPart] = [5_000, 4_000, 1_000, 60_000]
/** Events come in bunches; and Docker tells that a container ended before its lists know of it. */
const afterNews = [50, 400, 1_500]

export function createTargetMonitor(
  kind: LoadedKind,
  target: string | undefined,
  instance: string,
  clock: Clock,
  hooks: MonitorHooks,
): TargetMonitor {
  let connected: Connection | undefined
  let seen: Listing | undefined
  let [returns, images, strangers] = [0, 0, 0]
  let isLookingAgain = false
  let stopping: AbortSignal | undefined
  const own = new Map<string, number>()
  let looksToCome: number[] = []
  let ringing: AbortController | undefined
  /** Ends the stream of events: one that an outage left behind may be dead without knowing it. */
  let streaming = new AbortController()
  /** Ends the round of lists that goes on. */
  let listing: AbortController | undefined
  /** Those who wait until the engine is back. */
  let waiting: (() => void)[] = []
  const book = createContainerRecords()
  const monitor: TargetMonitor = {
    kind,
    records: book,
    isOffered: true,
    address: () => connected?.place.address ?? target ?? '',
    problem: () => outage.problem(),
    since: () => outage.since(),
    listing: () => seen,
    epoch(owner, code = '') {
      const others = (ofImages.has(code) ? images : 0) + (ofStrangers.has(code) ? strangers : 0)
      return returns + (own.get(owner) ?? 0) + others
    },
    changes: (owner) => own.get(owner) ?? 0,
    connection,
    look: coalesceCalls(lookOnce),
    keep,
    close: () => connected?.close(),
  }
  const outage = outageOf(() => monitor.address(), clock, hooks.log)
  return monitor

  function connection(): Connection {
    connected ??= kind.connect(kind.find(target), instance, hooks)
    return connected
  }

  async function lookOnce(): Promise<void> {
    let isListing = false
    try {
      // an engine that is away is asked for a sign of life first: lists of everything are for one that can answer
      if (outage.problem() !== undefined) await connection().ping(AbortSignal.timeout(pingPatience))
      isListing = true
      listing = new AbortController()
      const limit = AbortSignal.timeout(outage.patience())
      seen = await connection().list(AbortSignal.any([limit, listing.signal]))
      const listed = [...seen.apps.values()].flatMap((app) => app.listed ?? [])
      book.listed(listed, clock.now())
      if (listed.some(isComing)) void lookAgain()
      recovered()
    } catch (thrown) {
      lost(thrown, isListing && listing?.signal.aborted !== true)
    } finally {
      listing = undefined
    }
    await hooks.looked(monitor)
  }

  /** Listed as ended, and perhaps about to be started again: whether it was is told by the next look. */
  function isComing(one: SeenContainer): boolean {
    const until = startsUntil({ ...one, endedAt: book.endedAt(one.id) }, book.ends(one.id))
    return until !== undefined && isEnd(one.state) && clock.now() < until
  }

  async function lookAgain(): Promise<void> {
    const stop = stopping
    if (isLookingAgain || stop === undefined) return
    isLookingAgain = true
    await sleepOrStop(clock, untilStarted, stop)
    isLookingAgain = false
    if (!stop.aborted) await monitor.look()
  }

  /** An engine that is back is a change of the runtime. */
  function recovered(): void {
    if (!outage.succeeded()) return
    returns += 1
    streaming.abort()
    for (const goOn of waiting.splice(0)) goOn()
  }

  function lost(thrown: unknown, wasListing: boolean): void {
    seen = undefined
    const late = isLate(thrown)
    outage.failed(late ? silent(monitor.address()) : problemOf(thrown), late && wasListing)
  }

  async function keep(stop: AbortSignal): Promise<void> {
    stopping = stop
    const checked = { ...monitor, sourceOf: hooks.sourceOf }
    const checking = keepChecking(checked, clock, () => hooks.changed(), stop)
    await Promise.all([listening(stop), looking(stop), pinging(stop), checking])
  }

  async function listening(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      try {
        streaming = new AbortController()
        const signal = AbortSignal.any([stop, streaming.signal])
        for await (const news of connection().watch(signal)) heard(news, stop)
      } catch {
        // the look tells why
      }
      if (stop.aborted) return
      if (streaming.signal.aborted) continue
      await monitor.look()
      if (outage.problem() !== undefined) await untilReached(stop)
      else await sleepOrStop(clock, redial, stop)
    }
  }

  async function untilReached(stop: AbortSignal): Promise<void> {
    // a signal that was given before is not given again
    if (stop.aborted) return
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
      stop.addEventListener('abort', () => resolve(), { once: true })
    })
  }

  function heard(news: News, stop: AbortSignal): void {
    if (news.kind === 'listening') return ring(stop)
    const { owner, isSure, what, container } = news
    const isOurs = owner?.startsWith(`${instance}:`) === true
    const isOurDoing = isOurs || !isSure ? hooks.isBusy(monitor, owner) : false
    if (container?.happened === 'health checked')
      return isOurs ? heardCheck(container, stop) : undefined
    if (what === 'image' && !isOurDoing) images += 1
    if (!isOurs && (what === 'part' || container?.happened === 'ended')) strangers += 1
    if (isOurs && container !== undefined && !isOurDoing) heardOf(container)
    // what only starts and ends may do so by itself for ever
    if (isOurs && what === 'part' && !isOurDoing) own.set(owner, (own.get(owner) ?? 0) + 1)
    // who is under way looks for himself in the end, and what others do is no drift
    if (!isOurDoing && (isOurs || !isSure)) ring(stop)
    else if (!isOurDoing) hooks.changed()
  }

  /** Where lists tell what checks say, one is looked at; else the check is asked for again, unless that was the cause of this. */
  function heardCheck({ id }: ContainerNews, stop: AbortSignal): void {
    const one = containerIn(seen, id)
    if (one?.checkEvery === undefined || one.health !== undefined) return ring(stop)
    const looked = book.looked(id)
    if (looked !== undefined && clock.now() - looked.at > ownEcho) book.forgetLook(id)
  }

  function heardOf(container: ContainerNews): void {
    book.heard(container, clock.now())
    if (container.happened === 'started') book.forgetLook(container.id)
    if (container.happened === 'ended') hooks.changed()
  }

  /** Not waited for: who listens must not fall behind. */
  function ring(stop: AbortSignal): void {
    looksToCome = [...afterNews]
    if (ringing !== undefined) ringing.abort()
    else void looksAfterNews(stop)
  }

  async function looksAfterNews(stop: AbortSignal): Promise<void> {
    while (looksToCome.length > 0 && !stop.aborted) {
      ringing = new AbortController()
      const pause = defined(looksToCome[0])
      const isOver = await clock
        .sleep(pause, AbortSignal.any([stop, ringing.signal]))
        .then(() => true)
        // false: a stop, or news, which in a bunch do not put off the first look
        .catch(() => false)
      if (!isOver && pause !== afterNews[0]) continue
      looksToCome.shift()
      if (!stop.aborted && outage.problem() === undefined) await monitor.look()
    }
    ringing = undefined
  }

  async function looking(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      await untilNextLook(stop)
      // while the engine is away, `pinging` looks for it
      if (!stop.aborted && outage.problem() === undefined) await monitor.look()
    }
  }

  /** In parts: an interval that is declared anew meanwhile counts. */
  async function untilNextLook(stop: AbortSignal): Promise<void> {
    for (let slept = 0; slept < hooks.interval() && !stop.aborted;) {
      const part = Math.min(hooks.interval() - slept, longestPart)
      await sleepOrStop(clock, part, stop)
      slept += part
    }
  }

  /** One that hangs breaks no line; one that does not answer is asked until it does, less and less often. */
  async function pinging(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const isAway = outage.problem() !== undefined
      await sleepOrStop(clock, isAway ? outage.pause() : pingEvery, stop)
      if (stop.aborted) return
      if (outage.problem() === undefined) await pinged()
      else await monitor.look()
    }
  }

  async function pinged(): Promise<void> {
    try {
      await connected?.ping(AbortSignal.timeout(pingPatience))
    } catch (thrown) {
      lost(thrown, false)
      listing?.abort(thrown)
      await hooks.looked(monitor)
    }
  }
}

/** Engines that run checks when they are asked to tell of each: what comes so soon after a look is its echo, ms. */
const ownEcho = 2_000

function containerIn(listing: Listing | undefined, id: string): SeenContainer | undefined {
  for (const { listed } of listing?.apps.values() ?? []) {
    const found = listed?.find((one) => one.id === id)
    if (found !== undefined) return found
  }
  return undefined
}

/** Failures that the end of something else may end, and those that an image may end which came in another way. */
const ofStrangers: ReadonlySet<string> = new Set(['name_taken', 'port_taken'])
const ofImages: ReadonlySet<string> = new Set(['image_not_found', 'image_denied'])
