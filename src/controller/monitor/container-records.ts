/** What was heard and seen of each container of an engine beside its lists: how it ended, what its check said, its last lines. */
import { closeEnds, isEnd, type End } from '#domains/containers/health.ts'
import { isUnstarted } from '#domains/containers/look.ts'
import type { Look } from '#model/domain.ts'
import type { ContainerNews, SeenContainer } from '#model/connection.ts'

export type ContainerRecords = {
  /** What the engine said, and nobody of ours brought about. */
  heard(news: ContainerNews, now: number): void
  ends(id: string): readonly End[]
  /** The last look at it, where one was taken. */
  looked(id: string): Looked | undefined
  keepLook(id: string, look: Look, now: number): void
  /** Its check is to be asked for again, whenever it was last. */
  forgetLook(id: string): void
  /** What a new list says; of all others nothing is kept. */
  listed(all: readonly SeenContainer[], now: number): void
  /** How it is judged to be at this moment. */
  judged(id: string, state: Look['state'], now: number): void
  /** Since when it is judged so, ms; undefined: since before anybody looked. */
  judgedSince(id: string): number | undefined
  /** When it was first seen to have ended; undefined: it has not. */
  endedAt(id: string): number | undefined
  /** With the times at which it was first seen to have ended, and to be made and not started. */
  dated(one: SeenContainer): SeenContainer
}

export type Looked = { readonly look: Look; readonly at: number }

/** Engines tell of the want of memory before they tell of the end. */
const memoryBeforeEnd = 5_000

export function createContainerRecords(): ContainerRecords {
  const ends = new Map<string, readonly End[]>()
  const outOfMemory = new Map<string, number>()
  const looks = new Map<string, Looked>()
  const ended = new Map<string, number>()
  const unstarted = new Map<string, number>()
  const judgements = new Map<
    string,
    { readonly state: string; readonly since: number | undefined }
  >()
  return {
    heard({ id, happened, exitCode }, now) {
      if (happened === 'out of memory') outOfMemory.set(id, now)
      if (happened !== 'ended') return
      const isOutOfMemory = now - (outOfMemory.get(id) ?? -Infinity) < memoryBeforeEnd
      const all = [...(ends.get(id) ?? []), { at: now, exitCode, isOutOfMemory }]
      ends.set(id, closeEnds(all))
    },
    ends: (id) => ends.get(id) ?? [],
    looked: (id) => looks.get(id),
    keepLook: (id, look, now) => void looks.set(id, { look, at: now }),
    forgetLook: (id) => void looks.delete(id),
    judged(id, state, now) {
      const before = judgements.get(id)
      if (before?.state === state) return
      judgements.set(id, { state, since: before === undefined ? undefined : now })
    },
    judgedSince: (id) => judgements.get(id)?.since,
    endedAt: (id) => ended.get(id),
    dated: (one) => ({
      ...one,
      endedAt: ended.get(one.id),
      unstartedAt: unstarted.get(one.id),
    }),
    listed(all, now) {
      const ids = new Set(all.map(({ id }) => id))
      for (const book of [ends, outOfMemory, looks, ended, unstarted, judgements]) {
        for (const id of book.keys()) if (!ids.has(id)) book.delete(id)
      }
      for (const { id, state } of all) {
        if (!isEnd(state)) ended.delete(id)
        else if (!ended.has(id)) ended.set(id, now)
        if (isUnstarted(state)) unstarted.set(id, unstarted.get(id) ?? now)
        // why it could not start is no longer so
        else if (unstarted.delete(id)) looks.delete(id)
      }
    },
  }
}
