/** What is remembered of a source between starts: the revision that was read, and whether history was rewritten with it. */
import { isRecord, type Json } from '#model/json.ts'
import type { RefusedRevision, Rewritten, SourceStatus } from '#model/service.ts'

export const sourceTopic = 'service.source'

export function sourceNoteKey({ shown, ref }: Pick<SourceStatus, 'shown' | 'ref'>): string {
  return `${shown} ${ref}`
}

type SourceNote = {
  readonly revision: string
  readonly message: string
  readonly rewritten: Rewritten | undefined
  /** Since when a newer revision is refused. */
  readonly refused?: Pick<RefusedRevision, 'revision' | 'since'> | undefined
}

export function sourceNote({ revision, message, rewritten, refused }: SourceNote): Json {
  const since = refused && { revision: refused.revision, since: refused.since }
  return {
    revision,
    message,
    ...(rewritten === undefined ? {} : { rewritten }),
    ...(since === undefined ? {} : { refused: since }),
  }
}

/** What can't be read counts as never written. */
export function readSourceNote(note: Json | undefined): SourceNote | undefined {
  if (!isRecord<Json>(note) || typeof note['revision'] !== 'string') return undefined
  const { revision, message } = note
  return {
    revision,
    message: typeof message === 'string' ? message : '',
    rewritten: rewrittenIn(note['rewritten']),
    refused: refusedIn(note['refused']),
  }
}

function rewrittenIn(note: Json | undefined): Rewritten | undefined {
  const { from, at } = isRecord<Json>(note) ? note : {}
  return typeof from === 'string' && typeof at === 'number' ? { from, at } : undefined
}

function refusedIn(note: Json | undefined): SourceNote['refused'] {
  const { revision, since } = isRecord<Json>(note) ? note : {}
  return typeof revision === 'string' && typeof since === 'number' ? { revision, since } : undefined
}
