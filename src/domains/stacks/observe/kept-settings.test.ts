import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptSettings } from './kept-settings.ts'

function world(): {
  kept: ReturnType<typeof keptSettings>
  readonly ask: (id: string) => Promise<unknown>
  asked: string[]
  clock: { now: number }
  answers: Map<string, { Memory: number }>
} {
  const [clock, asked] = [{ now: 0 }, new Array<string>()]
  const answers = new Map([
    ['a', { Memory: 1 }],
    ['b', { Memory: 2 }],
  ])
  const kept = keptSettings(() => clock.now)
  function ask(id: string): Promise<unknown> {
    return kept.inspected(id, async () => {
      asked.push(id)
      return answers.get(id)
    })
  }
  return { kept, ask, asked, clock, answers }
}

test('while nobody listens each look inspects', async () => {
  const { ask, asked } = world()
  await ask('a')
  await ask('a')
  assert.deepEqual(asked, ['a', 'a'])
})

test('while somebody listens a container is inspected once, and again when something happened to it', async () => {
  const { kept, ask, asked, answers } = world()
  kept.listening()
  for (const id of ['a', 'b', 'a', 'b']) await ask(id)
  assert.deepEqual(asked, ['a', 'b'])
  answers.set('a', { Memory: 3 })
  kept.forget('a')
  assert.deepEqual(await ask('a'), { Memory: 3 })
  assert.deepEqual(await ask('b'), { Memory: 2 })
  assert.deepEqual(asked, ['a', 'b', 'a'])
})

test('what happens while it is inspected counts', async () => {
  const { kept, ask, asked } = world()
  kept.listening()
  const first = ask('a')
  kept.forget('a')
  await first
  await ask('a')
  assert.deepEqual(asked, ['a', 'a'])
})

test('a break, a change of our own and a long time each end it; so does one that is gone', async () => {
  const { kept, ask, asked, clock } = world()
  kept.listening()
  await ask('a')
  kept.deaf()
  await ask('a')
  kept.listening()
  await ask('a')
  kept.forget()
  await ask('a')
  clock.now += 10 * 60_000
  await ask('a')
  assert.equal(asked.length, 5)
  await ask('gone')
  await ask('gone')
  assert.equal(asked.length, 7)
})

test('an inspection that failed is made again', async () => {
  const kept = keptSettings()
  kept.listening()
  await assert.rejects(
    kept.inspected('a', () => Promise.reject(new Error('away'))),
    /away/,
  )
  assert.deepEqual(await kept.inspected('a', async () => ({ Memory: 1 })), { Memory: 1 })
})
