/** Keeps fleets suspended that an earlier release noted as suspended, beside all other applications. */
import { persistedStatesIn } from '#controller/state/persisted-state.ts'
import type { Clock } from '#model/clock.ts'
import type { Notes } from '#model/store.ts'

const topic = 'fleets-suspended'

export async function carryOverSuspended(notes: Notes, clock: Pick<Clock, 'now'>): Promise<void> {
  const keys = [...(await notes.read(topic)).keys()]
  if (keys.length === 0) return
  const states = persistedStatesIn(notes)
  const known = await states.read()
  const first = { since: clock.now(), from: '', removes: false, isRemoved: false }
  for (const key of keys) {
    await states.keep(key, { ...(known.get(key) ?? first), suspended: true })
    await notes.write(topic, key, undefined)
  }
}
