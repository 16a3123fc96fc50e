/** A container that is refused before its first start is removed; one that ran, or is another's, is not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '#model/problem.ts'
import { removingRefused } from './refused-start.ts'

async function removedAfter(
  state: string,
  owner: string,
  error: Error,
): Promise<readonly string[]> {
  const removed: string[] = []
  const job = {
    engine: {
      inspectContainer: async (name: string) => ({
        id: `id of ${name}`,
        labels: { 'tend/owner': owner },
        state,
      }),
      removeContainer: async (id: string) => void removed.push(id),
    },
    memory: { made: new Map([['web', 'made']]) },
    confinement: { owner: 'here:stack:web' },
    context: { signal: new AbortController().signal },
  }
  await assert.rejects(
    removingRefused(job, 'web', () => Promise.reject(error)),
    error,
  )
  return removed
}

test('only what never ran, is its own and was denied', async () => {
  const facts = { type: 'runtime', message: 'a link' } as const
  const denied = new Problem({ ...facts, code: 'denied' })
  assert.deepEqual(await removedAfter('created', 'here:stack:web', denied), ['id of made'])
  assert.deepEqual(await removedAfter('exited', 'here:stack:web', denied), [])
  assert.deepEqual(await removedAfter('created', 'here:stack:other', denied), [])
  const away = new Problem({ ...facts, code: 'api_error' })
  assert.deepEqual(await removedAfter('created', 'here:stack:web', away), [])
})
