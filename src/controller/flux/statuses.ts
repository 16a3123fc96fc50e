/** Writes the statuses of Flux's objects: whatever changed, the newest alone, one write at a time for each object. */
import { recordOf, recordsOf, textOf } from '#model/read-json.ts'
import { inventoryOf } from '#domains/kustomizations/inventory.ts'
import { readSpec } from '#domains/kustomizations/spec.ts'
import { keyOf } from '#model/application.ts'
import { canonical, type JsonRecord } from '#model/json.ts'
import { problemOf } from '#model/problem.ts'
import type { Event } from '#model/event.ts'
import type { ServiceEvent } from '#model/service.ts'
import { sleepOrStop } from '#engine/sleep-or-stop.ts'
import { sentenceOf } from '../decide/backoff.ts'
import { applicationOf } from '#kinds/application-of.ts'
import type { AppState } from '../state/app-state.ts'
import { gateWait } from '../state/gate-waits.ts'
import { removalHash } from '../decide/decide.ts'
import { sourceKeyOf, type FluxDeclared } from './declare.ts'
import { historyOf } from './history.ts'
import { isApplyingText, kustomizationStatus, leavingStatus } from './kustomization-status.ts'
import { applicationFor, kustomizations, type FluxObject } from './kinds.ts'
import type { Informer } from './informer.ts'
import { resourcesOf } from './owned-objects.ts'
import type { FluxParts } from './open-flux.ts'
import type { RepositoryRead } from './repository.ts'
import { remoteStatus } from './remote-status.ts'
import type { Revisions } from './revisions.ts'
import { writeRepository } from './write-repository.ts'
import { mostUrgent, urgencyOf } from './urgency.ts'
import type { Writer } from './write.ts'

export type StatusParts = FluxParts & {
  readonly writer: Writer
  readonly gits: Informer
  readonly sets: Informer
  reads(): ReadonlyMap<string, RepositoryRead>
  readonly revisions: Revisions
  declared(): FluxDeclared
  /** The last request of an object that was served: by application key, `git NAMESPACE/NAME` for sources. */
  served(key: string): string
}

export type Statuses = {
  hear(event: ServiceEvent): void
  /** Of a Kustomization by `NAMESPACE/NAME`, with `git ` before it of a source. */
  soon(name: string): void
  /** Anything may have changed. */
  all(): void
  keep(signal: AbortSignal): Promise<void>
}

/** What ends sooner than this, ms, is told by its end alone. */
const worthTelling = { applying: 1_500, waiting: 5_000 }
const afterTrouble = 2_000
/** Writes under way at once: who applies something asks the same server. */
const width = 8

export function statusesOf(parts: StatusParts): Statuses {
  const { service, store, clock, log, writer, gits, sets } = parts
  /** What is to be looked at, and not before when, ms. */
  const due = new Map<string, number>()
  const inventories = new Map<
    string,
    { readonly mark: string; readonly entries: readonly JsonRecord[] }
  >()
  const histories = new Map<
    string,
    { readonly at: number; readonly entries: readonly JsonRecord[] }
  >()
  /** What is only in progress, and since when, ms. */
  const progress = new Map<string, { readonly text: string; readonly since: number }>()
  const underWay = new Map<string, Promise<void>>()
  /** By application key: what a removal waits for. */
  const holds = new Map<string, string>()
  /** By application key: the number of the run that was begun last. */
  const opened = new Map<string, number>()
  let wake = (): void => undefined
  let hasRemotes = true

  function soon(name: string, after = 0): void {
    due.set(name, clock.now() + after)
    wake()
  }

  function hear(event: ServiceEvent): void {
    if (event.type === 'source') {
      for (const one of gits.objects.values()) soon(`git ${one.key}`)
      const isFailed = event.status.state === 'failed'
      for (const one of sets.objects.values()) {
        // what can't be built looks the same after the next commit, and yet that one was tried
        if (isFailed || service.appState(keyOf(applicationFor(one)))?.fault !== undefined)
          soon(one.key)
      }
    }
    if (event.type === 'run') hearRun(event.key, event.event)
    if (event.type !== 'app' || event.status.application.kind !== 'kustomization') return
    const { namespace, name } = event.status.application
    soon(`${namespace}/${name}`)
  }

  /** Finalizers may hold what goes for ever: whoever waits is told whose they are. */
  function hearRun(key: string, event: Event): void {
    if (event.type === 'opened') opened.set(key, event.run)
    const isHeld = event.type === 'progress' && event.text.startsWith('held by')
    if (!isHeld && (event.type !== 'ended' || !holds.has(key))) return
    if (isHeld) holds.set(key, `${event.ref} is being deleted: ${event.text}`)
    else holds.delete(key)
    const { namespace, name } = applicationOf(key) ?? {}
    soon(`${namespace}/${name}`)
  }

  /** How long it is still not worth telling, ms. */
  function early(name: string, status: JsonRecord): number {
    const [first] = recordsOf(status['conditions'])
    if (first?.['status'] !== 'Unknown') {
      progress.delete(name)
      return 0
    }
    // what it waits for may be another thing each second
    const [text = ''] = textOf(first['message']).split('; ')
    const known = progress.get(name)
    const now = clock.now()
    const since = known?.text === text ? known.since : now
    progress.set(name, { text, since })
    // who only waits for others to be done has nothing to tell that they would not sooner hear of those
    const patience = isApplyingText(text) ? worthTelling.applying : worthTelling.waiting
    return Math.max(0, since + patience - now)
  }

  async function writeSet(one: FluxObject, signal: AbortSignal): Promise<void> {
    const key = keyOf(applicationFor(one))
    const state = service.appState(key)
    if (one.isDeleting) return finish(one, key, signal)
    if (one.isSuspended) return
    const { spec } = readSpec(one.spec)
    const read = parts.reads().get(sourceKeyOf(one, spec))
    const branch =
      read !== undefined && 'source' in read ? service.branchFor(read.source) : undefined
    const app = state === undefined ? undefined : service.app(key)
    const isCurrent =
      state?.declared !== undefined &&
      state.refresh === undefined &&
      canonical(state.declared.values) === canonical(one.spec)
    const shownAs = parts.revisions(one)
    const status = kustomizationStatus(one, {
      now: clock.now(),
      app,
      isCurrent,
      trouble: parts.declared().troubles.get(key),
      failure: state?.persisted.failure,
      hasFault: state?.fault !== undefined,
      sourceRevision: branch?.status.revision ?? '',
      sourceProblem: branch?.status.problem && sentenceOf(branch.status.problem),
      revisionOf: shownAs,
      inventory: state === undefined ? undefined : await inventoryFor(one, key, state),
      history: await historyFor(one, key, app?.lastRun?.at, shownAs),
      remotes: hasRemotes ? remoteStatus(parts.remotes(key)) : [],
      handledAt: parts.served(key),
      waitsFor: holds.get(key) ?? (state && (gateWait(state) || undefined)),
      isInTrouble: (other) => parts.declared().troubles.has(other),
    })
    const wait = early(one.key, status)
    if (wait > 0) return soon(one.key, wait)
    const written = await writer.status(kustomizations, one, status, signal)
    if (written === undefined) return
    // Flux's own definition has no such field: what the server drops is not written again and again
    const isKept = recordOf(written['status'])['remoteBases'] !== undefined
    if (status['remoteBases'] !== undefined && !isKept) hasRemotes = false
    sets.learn(written)
  }

  async function historyFor(
    one: FluxObject,
    key: string,
    at: number | undefined,
    shownAs: (commit: string) => string,
  ): Promise<readonly JsonRecord[] | undefined> {
    if (at === undefined) return undefined
    const known = histories.get(key)
    if (known?.at === at) return known.entries
    const entries = historyOf(await store.runs(applicationFor(one)), shownAs)
    histories.set(key, { at, entries })
    return entries
  }

  /** Looked up anew whenever a run began or ended. */
  async function inventoryFor(
    one: FluxObject,
    key: string,
    { persisted: { synced, lastRun } }: AppState,
  ): Promise<readonly JsonRecord[] | undefined> {
    const mark = [synced?.at, lastRun?.at, opened.get(key)].join(' ')
    const known = inventories.get(key)
    if (known?.mark === mark) return known.entries
    const resources = await resourcesOf(one, synced === undefined, store)
    if (resources === undefined) return undefined
    const entries = inventoryOf(resources)
    inventories.set(key, { mark, entries })
    return entries
  }

  /** It is gone when nothing of it is left, or nothing of it is to go. */
  async function finish(one: FluxObject, key: string, signal: AbortSignal): Promise<void> {
    const state = service.appState(key)
    const isOver = state?.isGone === true && (state.persisted.isRemoved || !state.persisted.removes)
    if (!isOver || state.underWay !== undefined) {
      if (state !== undefined) retryEnd(one, key, state)
      const failure = state?.persisted.failure
      const why = holds.get(key) ?? (failure?.hash === removalHash ? failure.reason : undefined)
      const made = state === undefined ? undefined : await inventoryFor(one, key, state)
      const status = leavingStatus(one, why, made, clock.now())
      const wait = why === undefined ? early(one.key, status) : 0
      if (wait > 0) return soon(one.key, wait)
      const written = await writer.status(kustomizations, one, status, signal)
      if (written !== undefined) sets.learn(written)
      return
    }
    if (!parts.declared().leaving.some(({ application }) => keyOf(application) === key)) return
    sets.learn(await writer.release(kustomizations, one, signal))
    await service.drop(key)
    inventories.delete(key)
    opened.delete(key)
    histories.delete(key)
    progress.delete(one.key)
  }

  /** Its end was asked for: whatever stands in the way, it is tried again. */
  function retryEnd(one: FluxObject, key: string, { persisted, underWay: isBusy }: AppState): void {
    const { failure } = persisted
    if (failure?.hash !== removalHash || failure.isPassing || isBusy !== undefined) return
    const wait = failure.at + readSpec(one.spec).spec.retryInterval - clock.now()
    if (wait > 0) soon(one.key, wait)
    // the run itself records why it failed
    else service.sync(key).catch(() => undefined)
  }

  async function write(name: string, signal: AbortSignal): Promise<void> {
    const git = name.startsWith('git ') ? gits.objects.get(name.slice(4)) : undefined
    const set = git === undefined ? sets.objects.get(name) : undefined
    try {
      if (git !== undefined) await writeRepository(parts, git, () => soon(name), signal)
      if (set !== undefined) await writeSet(set, signal)
    } catch (thrown) {
      if (signal.aborted) return
      const { message } = problemOf(thrown)
      log('warning', 'a status could not be written', { object: name, why: message })
      soon(name, afterTrouble)
    }
  }

  function urgency(name: string): number {
    const one = sets.objects.get(name)
    if (one === undefined) return 0
    const key = keyOf(applicationFor(one))
    return urgencyOf(service.appState(key)?.status?.state, parts.declared().troubles.has(key))
  }

  function begin(name: string, signal: AbortSignal): void {
    due.delete(name)
    const writing = write(name, signal).finally(() => {
      underWay.delete(name)
      wake()
    })
    underWay.set(name, writing)
  }

  async function keep(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const now = clock.now()
      const free = [...due].filter(([name]) => !underWay.has(name))
      const room = width - underWay.size
      const ready = free.filter(([, at]) => at <= now).map(([name]) => name)
      for (const name of mostUrgent(ready, room, urgency)) begin(name, signal)
      // a full house is left by the end of one
      const next = Math.min(now + 60_000, ...free.map(([, at]) => at).filter((at) => at > now))
      const woken = new AbortController()
      wake = () => woken.abort()
      await sleepOrStop(clock, Math.max(0, next - now), AbortSignal.any([woken.signal, signal]))
      wake = () => undefined
      // much happens at once
      await new Promise((resolve) => setImmediate(resolve))
    }
    await Promise.all(underWay.values())
  }

  return {
    hear,
    soon: (name) => soon(name),
    all() {
      for (const one of gits.objects.values()) soon(`git ${one.key}`)
      for (const one of sets.objects.values()) soon(one.key)
    },
    keep,
  }
}
