/** Waiting at the gate: by looks, by events, until the time is up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Look, Target } from '#model/domain.ts'
import { Problem } from '#model/problem.ts'
import { fakeClock } from '../../../test/fake/clock.ts'
import { fakeWorld } from '../../../test/fake/world.ts'
import { passGate } from './gate.ts'

const quiet = { next: () => new Promise<void>(() => undefined), close: () => Promise.resolve() }
const watched = { ref: 'container/web', subject: null, gate: 'healthy', timeout: 30_000 } as const

async function pass(looks: readonly (Look | Problem)[]): Promise<readonly string[]> {
  const said: string[] = []
  let turn = 0
  const target: Target = {
    ...fakeWorld().target,
    async look() {
      await Promise.resolve()
      const look = looks[Math.min(turn, looks.length - 1)]!
      turn += 1
      if (look instanceof Problem) throw look
      return look
    },
  }
  const parts = { target, clock: fakeClock(), feed: quiet }
  await passGate(watched, parts, new AbortController().signal, (text) => said.push(text))
  return said
}

const waiting = { state: 'waiting', message: 'GET / answered 503', againIn: 5_000 } as const

test('waits until it is healthy and tells what it sees', async () => {
  assert.deepEqual(await pass([waiting, waiting, { state: 'ok', message: '' }]), [
    waiting.message,
    waiting.message,
  ])
})

test('a look that did not get through is taken again', async () => {
  const lost = new Problem({
    type: 'runtime',
    code: 'timed_out',
    message: 'no answer',
    recoverable: true,
  })
  assert.deepEqual(await pass([lost, { state: 'ok', message: '' }]), ['no answer'])
})

test('says for how long it waited and what it saw last', async () => {
  await assert.rejects(
    pass([waiting]),
    (thrown) =>
      thrown instanceof Problem &&
      thrown.code === 'timed_out' &&
      thrown.message === 'not healthy after 30.0s: GET / answered 503 (--timeout gives it longer)',
  )
  const failed = { state: 'failed', message: 'GET / answered 500', details: ['boom'] } as const
  await assert.rejects(
    pass([waiting, failed]),
    (thrown) =>
      thrown instanceof Problem &&
      thrown.code === 'unhealthy' &&
      thrown.message === 'not healthy after 5.0s: GET / answered 500' &&
      thrown.details[0] === 'boom',
  )
})
