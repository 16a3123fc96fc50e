import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { BaseFetched } from '#sources/remote-bases.ts'
import { manualClock } from '../../../test/testbed/manual-clock.ts'
import { remotesBook } from './remotes-book.ts'

const far = 'https://git.example.org/a/far//base?ref=main'
const near = 'https://git.example.org/a/near//base?ref=main'

test('bases are asked again in the interval of their set; one that hangs or is refused holds up nobody', async () => {
  const clock = manualClock()
  const end = new AbortController()
  const moved: string[] = []
  const logged: string[] = []
  let [commit, isFarAway, refusal] = ['1', false, '']
  const book = remotesBook({
    clock,
    log: (_level, message, fields) => logged.push(`${message}: ${String(fields?.['why'])}`),
    bases: {
      isAllowed: () => true,
      async fetch({ repository }): Promise<BaseFetched> {
        if (repository.endsWith('far') && isFarAway) await new Promise(() => undefined)
        if (refusal !== '') throw new Error(refusal)
        return { commit, files: { root: '/', folder: '/', revision: commit, omitted: [] } }
      },
    },
    pinned: () => undefined,
    interval: () => 60_000,
    moved: (key) => moved.push(key),
    missed: () => undefined,
  })
  const looked = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 5_000) {
      await clock.sleeping(1)
      clock.advance(5_000)
      await setImmediate()
    }
  }
  await book.gather('first', [far], end.signal)
  await book.gather('second', [near], end.signal)
  const kept = book.keep(end.signal).catch(() => undefined)
  ;[commit, isFarAway] = ['2', true]
  await looked(55_000)
  assert.deepEqual(moved, [])
  await looked(5_000)
  assert.deepEqual(moved, ['second'])
  assert.equal(book.of('first').get(far)?.commit, '1')
  refusal = 'the commit 3 is not used: it is not signed'
  await looked(120_000)
  assert.deepEqual(logged, [`a remote base stays at the commit before: ${refusal}`])
  assert.equal(book.of('second').get(near)?.commit, '2')
  end.abort()
  await kept
})
