/** What a service last knew that does not run now, from the store in Tend's home. */
import { persistedStatesIn, type PersistedState } from '#controller/state/persisted-state.ts'
import type { Json } from '#model/json.ts'
import { readSourceNote, sourceTopic } from '#controller/sources/source-note.ts'
import type { AppStatus, SourceStatus, State } from '#model/service.ts'
import { createAppState } from '#controller/state/create-app-state.ts'
import { statusOf } from '#controller/decide/app-status.ts'
import { applicationOf } from '#kinds/application-of.ts'
import type { Memory } from '../session.ts'

export async function storedApps(
  memory: Memory | undefined,
  instance: string,
): Promise<readonly AppStatus[]> {
  if (memory === undefined) return []
  const states = await persistedStatesIn(memory.notes).read()
  return [...states].flatMap(([key, persisted]) => {
    const application = applicationOf(key)
    if (application === undefined) return []
    const app = createAppState(application, instance, persisted)
    const { state, reason } = lastKnown(persisted)
    const since = persisted.answers?.sync.since ?? persisted.lastRun?.at ?? persisted.since
    const status = statusOf(app, { state, reason, ...unjudged }, since)
    return [
      { ...status, isSuspended: persisted.suspended ?? false, target: persisted.target ?? '' },
    ]
  })
}

const unjudged = { needsAcknowledgement: false, run: undefined, until: undefined }

/** The state, as far as it is known without looking. */
function lastKnown(persisted: PersistedState): { readonly state: State; readonly reason: string } {
  const { desired, synced, failure } = persisted
  if (persisted.suspended === true) return { state: 'suspended', reason: '' }
  if (persisted.isRemoved) return { state: 'missing', reason: 'it was removed' }
  if (failure !== undefined) return { state: 'failed', reason: failure.reason }
  if (persisted.begun !== undefined) return { state: 'syncing', reason: 'a run was cut off' }
  if (synced !== undefined && synced.hash === desired?.hash) return { state: 'synced', reason: '' }
  return { state: 'missing', reason: 'what is declared was not applied yet' }
}

/** Sets it for the next start of the service. */
export async function setSuspended(memory: Memory, key: string, value: boolean): Promise<void> {
  const states = persistedStatesIn(memory.notes)
  const persisted = (await states.read()).get(key)
  if (persisted !== undefined) await states.keep(key, { ...persisted, suspended: value })
}

export async function storedSources(memory: Memory | undefined): Promise<readonly SourceStatus[]> {
  const notes = (await memory?.notes.read(sourceTopic)) ?? new Map<string, Json>()
  return [...notes].map(([key, note]) => {
    const ranged = key.indexOf(' semver:')
    const split = ranged >= 0 ? ranged : key.lastIndexOf(' ')
    const [shown, ref] = [key.slice(0, split), key.slice(split + 1)]
    const { revision, message, rewritten } = readSourceNote(note) ?? unread
    const refType = ref === '' ? 'directory' : 'branch'
    const read = { revision, message, refType, rewritten } as const
    return { shown, ref, ...read, at: 0, state: 'completed', problem: undefined }
  })
}

const unread = { revision: '', message: '', rewritten: undefined }
