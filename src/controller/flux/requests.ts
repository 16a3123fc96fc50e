/** What people ask of Flux's objects beside being as declared: a reconciliation now, another try for another spec. */
import { keyOf as appKeyOf } from '#model/application.ts'
import { readSpec } from '#domains/kustomizations/spec.ts'
import type { Clock } from '#model/clock.ts'
import type { Allowed } from '#model/service.ts'
import { removalAnnotation } from '#kinds/kustomizations.ts'
import type { Controller } from '../open-service.ts'
import { sourceKeyOf } from './declare.ts'
import { applicationFor, handledAt, requested, type FluxObject } from './kinds.ts'
import type { Gathered } from '#kinds/kustomizations/gathered.ts'
import type { Informer } from './informer.ts'
import type { RepositoryRead } from './repository.ts'
import { addIdleListener } from '../state/app-state.ts'

type RequestParts = {
  readonly service: Controller
  readonly clock: Clock
  readonly sets: Informer
  readonly gits: Informer
  readonly gathered: ReadonlyMap<string, Gathered>
  readonly reads: () => ReadonlyMap<string, RepositoryRead>
  /** source-controller serves what is asked of repositories. */
  readonly leavesSources: () => boolean
  /** One was served. */
  readonly done: () => void
}

export type Requests = {
  /** Serves what is new. */
  handle(): void
  /** The last that was served: by application key, `git NAMESPACE/NAME` for sources. */
  served(key: string): string
}

/** `said`: as the annotation has it, mostly a time. */
type SourceRequest = { readonly at: number; readonly said: string; readonly by: Set<string> }

/** ms. Who asks for a source and then for a set of it within this time, by his own clock, means both by one. */
const sameWish = 15_000

/** Kubernetes does not keep who wrote it. */
const byAnnotation = `annotation ${requested}`

function askedBy(by: string): Allowed {
  return { empty: false, massDelete: false, by }
}

export function requestsOf(parts: RequestParts): Requests {
  const { service, clock, sets, gits, gathered, reads, done: told } = parts
  /** Those that are being served, or were. */
  const served = new Map<string, string>()
  const ended = new Map<string, string>()
  const generations = new Map<string, number>()
  const meant = new Map<string, string>()
  const lacking = new Set<string>()
  /** Repositories: when they were last asked by hand, and which sets were asked for since. */
  const asked = new Map<string, SourceRequest>()

  /** Another spec is another chance, also where it renders the same. */
  function retryChanged({ generation, isDeleting, isSuspended }: FluxObject, key: string): void {
    const before = generations.get(key)
    generations.set(key, generation)
    if (before === undefined || before === generation || isDeleting || isSuspended) return
    if (service.appState(key)?.persisted.failure === undefined) return
    // the run itself records why it failed
    service.sync(key, askedBy('its new spec')).catch(() => undefined)
  }

  /** What was refused because it removes much is tried when somebody says that it is meant. */
  function retryMeant({ annotations, isDeleting, isSuspended }: FluxObject, key: string): void {
    const said = annotations[removalAnnotation]
    const before = meant.get(key)
    if (said === undefined) meant.delete(key)
    else meant.set(key, said)
    if (said === undefined || before === said || isDeleting || isSuspended) return
    if (!(service.appState(key)?.persisted.failure?.code ?? '').startsWith('would_remove_')) return
    // the run itself records why it failed
    service.sync(key, askedBy(`annotation ${removalAnnotation}`)).catch(() => undefined)
  }

  /** What could not be removed for want of its cluster may be by now. */
  function retryFreed({ isDeleting }: FluxObject, key: string): void {
    const wasLacking = lacking.delete(key)
    if (gathered.get(key)?.problem !== undefined) lacking.add(key)
    // the run itself records why it failed
    else if (wasLacking && isDeleting) service.sync(key).catch(() => undefined)
  }

  /** What the objects ask for beside being as declared. */
  function handle(): void {
    for (const one of sets.objects.values()) {
      const key = appKeyOf(applicationFor(one))
      retryChanged(one, key)
      retryMeant(one, key)
      retryFreed(one, key)
      const isAsked = one.requestedAt !== '' && one.requestedAt !== handledAt(one)
      if (!isAsked || one.isSuspended || served.get(key) === one.requestedAt) continue
      served.set(key, one.requestedAt)
      void serve(key, one.requestedAt, () =>
        isServedBySource(one, key) ? rest(key) : service.sync(key, askedBy(byAnnotation)),
      )
    }
    const own = parts.leavesSources() ? [] : gits.objects.values()
    for (const one of own) {
      const key = `git ${one.key}`
      const isAsked = one.requestedAt !== '' && one.requestedAt !== handledAt(one)
      if (!isAsked || one.isSuspended || served.get(key) === one.requestedAt) continue
      served.set(key, one.requestedAt)
      const read = reads().get(one.key)
      asked.set(one.key, { at: clock.now(), said: one.requestedAt, by: new Set() })
      void serve(key, one.requestedAt, async () => {
        if (read !== undefined && 'source' in read) await service.ask(read.source, byAnnotation)
      })
    }
  }

  /** `flux reconcile --with-source` asks twice: what the first brought, and what came of that, is not tried once more. */
  function isServedBySource(one: FluxObject, key: string): boolean {
    const source = asked.get(sourceKeyOf(one, readSpec(one.spec).spec))
    const app = service.appState(key)
    if (source === undefined || app === undefined || source.by.has(key)) return false
    source.by.add(key)
    const { failure, desired } = app.persisted
    const hasFailed = failure?.hash === desired?.hash && (failure?.at ?? 0) >= source.at
    const gap = Date.parse(one.requestedAt) - Date.parse(source.said)
    return gap >= 0 && gap < sameWish && (app.underWay === 'sync' || hasFailed)
  }

  /** Until nothing more happens to it for now. */
  async function rest(key: string): Promise<void> {
    const app = service.appState(key)
    if (app === undefined) return
    await new Promise((resolve) => {
      addIdleListener(app, resolve)
      service.wake()
    })
  }

  async function serve(key: string, at: string, work: () => Promise<unknown>): Promise<void> {
    // the run itself records why it failed
    await work().catch(() => undefined)
    ended.set(key, at)
    told()
  }

  return { handle, served: (key) => ended.get(key) ?? '' }
}
