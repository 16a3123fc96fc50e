/** What is remembered of an application ends as it was said last, however long a database takes for each word. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '#model/json.ts'
import { memoryNotes } from '#store/memory.ts'
import { persistedStatesIn, type PersistedState } from './persisted-state.ts'

const state = { since: 1, from: '', removes: false, isRemoved: false } satisfies PersistedState

function scene() {
  const notes = memoryNotes()
  const goesOn: PromiseWithResolvers<void>[] = []
  const asked: (Json | undefined)[] = []
  const states = persistedStatesIn({
    ...notes,
    async write(topic, key, note) {
      const turn = Promise.withResolvers<void>()
      goesOn.push(turn)
      asked.push(note)
      await turn.promise
      await notes.write(topic, key, note)
    },
  })
  return { notes, states, goesOn, asked }
}

async function moment(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

test('of two writes the second begins when the first is over', async () => {
  const { notes, states, goesOn, asked } = scene()
  const first = states.keep('stack:web', { ...state, suspended: true })
  const second = states.keep('stack:web', { ...state, suspended: false })
  await moment()
  assert.equal(asked.length, 1)
  goesOn[0]?.resolve()
  await first
  await moment()
  goesOn[1]?.resolve()
  await second
  assert.deepEqual(await notes.get('service.app', 'stack:web'), { ...state, suspended: false })
})

test('those of others do not wait, and one that fails keeps nobody from the next', async () => {
  const { states, goesOn, asked } = scene()
  const failing = states.keep('stack:web', state)
  const other = states.keep('stack:other', state)
  const next = states.keep('stack:web', { ...state, suspended: true })
  await moment()
  assert.equal(asked.length, 2)
  goesOn[0]?.reject(new Error('no answer'))
  goesOn[1]?.resolve()
  await assert.rejects(failing, /no answer/)
  await other
  await moment()
  goesOn[2]?.resolve()
  await next
  assert.equal(asked.length, 3)
})
