/** Whose events are told, and with which revision. */
import type { SourceStatus } from '#model/service.ts'
import type { ClusterEvents } from './cluster-events.ts'
import type { Following, EventRecorderParts } from './event-recorder.ts'
import type { Informer } from './informer.ts'
import type { FluxParts } from './open-flux.ts'
import { revisionOf, type RepositoryRead } from './repository.ts'
import type { Revisions } from './revisions.ts'

type Facts = Pick<FluxParts, 'service' | 'known' | 'leavesSources'> & {
  readonly events: ClusterEvents
  readonly gits: Pick<Informer, 'objects'>
  readonly revisions: Revisions
  readonly reads: () => ReadonlyMap<string, RepositoryRead>
}

export function eventRecorderParts(facts: Facts): EventRecorderParts {
  const { service, known, leavesSources, events, gits, revisions, reads } = facts

  /** The last that was tried, or is. */
  function attempted(key: string): string | undefined {
    const one = known.get(key)
    if (one === undefined || service.appState(key) === undefined) return undefined
    const { branch, fault } = service.appState(key) ?? {}
    const read = fault === undefined ? undefined : branch?.status.revision
    const commit = read ?? service.app(key).desired?.revision
    return commit === undefined || commit === '' ? undefined : revisions(one)(commit)
  }

  /** What source-controller reads it tells of by itself. */
  function gitsOf(status: SourceStatus): readonly Following[] {
    if (leavesSources()) return []
    return [...gits.objects.values()].flatMap((one) => {
      const read = reads().get(one.key)
      const isMeant =
        read !== undefined && 'source' in read && service.branchFor(read.source)?.status === status
      if (!isMeant) return []
      return [{ one, revision: revisionOf(one, status.revision, service.tagOf(read.source)) }]
    })
  }

  return {
    events,
    setOf: (key) => known.get(key),
    revisionOf: attempted,
    faultOf: (key) => service.appState(key)?.fault,
    gitsOf,
  }
}
