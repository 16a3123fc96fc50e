/** What people ask of Flux's objects beside being as declared: a reconciliation now, another try for another spec. */
import { keyOf as appKeyOf } from '#model/application.ts'
import { removalAnnotation } from '../guard-for.ts'
import type { Controller } from '../open-service.ts'
import { applicationFor, handledAt, type FluxObject } from './kinds.ts'
import type { Mirror } from './mirror.ts'
import type { RepositoryRead } from './repository.ts'

export type RequestParts = {
  readonly service: Controller
  readonly sets: Mirror
  readonly gits: Mirror
  readonly reads: () => ReadonlyMap<string, RepositoryRead>
  /** One was served. */
  readonly done: () => void
}

export type Requests = {
  /** Serves what is new. */
  handle(): void
  /** The last that was served: by application key, `git NAMESPACE/NAME` for sources. */
  served(key: string): string
}

export function requestsOf({ service, sets, gits, reads, done: told }: RequestParts): Requests {
  /** Those that are being served, or were. */
  const served = new Map<string, string>()
  const ended = new Map<string, string>()
  const generations = new Map<string, number>()
  const meant = new Map<string, string>()

  /** Another spec is another chance, also where it renders the same. */
  function retryChanged({ generation, isDeleting, isSuspended }: FluxObject, key: string): void {
    const before = generations.get(key)
    generations.set(key, generation)
    if (before === undefined || before === generation || isDeleting || isSuspended) return
    if (service.unit(key)?.memo.failure === undefined) return
    service.sync(key).catch(() => undefined)
  }

  /** What was refused because it removes much is tried when somebody says that it is meant. */
  function retryMeant({ annotations, isDeleting, isSuspended }: FluxObject, key: string): void {
    const said = annotations[removalAnnotation]
    const before = meant.get(key)
    if (said === undefined) meant.delete(key)
    else meant.set(key, said)
    if (said === undefined || before === said || isDeleting || isSuspended) return
    if (!(service.unit(key)?.memo.failure?.code ?? '').startsWith('would_remove_')) return
    service.sync(key).catch(() => undefined)
  }

  /** What the objects ask for beside being as declared. */
  function handle(): void {
    for (const one of sets.objects.values()) {
      const key = appKeyOf(applicationFor(one))
      retryChanged(one, key)
      retryMeant(one, key)
      const isAsked = one.requestedAt !== '' && one.requestedAt !== handledAt(one)
      if (!isAsked || one.isSuspended || served.get(key) === one.requestedAt) continue
      served.set(key, one.requestedAt)
      void serve(key, one.requestedAt, () => service.sync(key))
    }
    for (const one of gits.objects.values()) {
      const key = `git ${one.key}`
      const isAsked = one.requestedAt !== '' && one.requestedAt !== handledAt(one)
      if (!isAsked || one.isSuspended || served.get(key) === one.requestedAt) continue
      served.set(key, one.requestedAt)
      const read = reads().get(one.key)
      void serve(key, one.requestedAt, async () => {
        if (read !== undefined && 'source' in read) await service.ask(read.source)
      })
    }
  }

  async function serve(key: string, at: string, work: () => Promise<unknown>): Promise<void> {
    await work().catch(() => undefined)
    ended.set(key, at)
    told()
  }

  return { handle, served: (key) => ended.get(key) ?? '' }
}
