/** Which changes of an engine are a reason to try again what failed for good. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '#model/problem.ts'
import type { LoadedKind } from '#model/application-kind.ts'
import type { Connection, News } from '#model/connection.ts'
import { loadedStacks } from '#kinds/stacks/load.ts'
import { createTargetMonitor, type TargetMonitor } from './target-monitor.ts'

const own = 'here:stack:web'

type Epochs = { readonly exited: number; readonly image: number }

/** What the epochs are after each of these, told while nothing or something of ours is under way. */
async function epochsAfter(news: readonly News[], isBusy = false): Promise<Epochs> {
  const stop = new AbortController()
  let told: (() => void) | undefined
  const all = new Promise<void>((resolve) => (told = resolve))
  const connection: Connection = { ...silent, watch: telling }
  async function* telling(signal: AbortSignal): AsyncIterable<News> {
    yield* news
    told?.()
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  }
  const monitor = postOf(connection, isBusy)
  const kept = monitor.keep(stop.signal)
  await all
  const epochs = {
    exited: monitor.epoch(own, 'exited'),
    image: monitor.epoch(own, 'image_not_found'),
  }
  stop.abort()
  await kept
  return epochs
}

function postOf(connection: Connection, isBusy = false): TargetMonitor {
  const kind: LoadedKind = {
    ...loadedStacks,
    find: () => ({ address: '' }),
    connect: () => connection,
  }
  const clock = { now: () => 0, random: () => 0, sleep: untilAborted }
  return createTargetMonitor(kind, undefined, 'here', clock, {
    interval: () => 1000,
    looked: async () => undefined,
    sourceOf: (owner) => owner,
    isBusy: () => isBusy,
    changed: () => undefined,
    called: () => undefined,
  })
}

async function untilAborted(_: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
}

const none = { exited: 0, image: 0 }

test("FR-019: what strangers do with theirs is no reason, nor another application's", async () => {
  const strangers = { kind: 'changed', owner: undefined, isSure: true, what: 'part' } as const
  const others = { ...strangers, owner: 'here:stack:db' }
  const unsure = { ...strangers, isSure: false }
  assert.deepEqual(await epochsAfter([strangers, others, unsure]), none)
})

test('its own containers: made or removed by others, not started and ended', async () => {
  const news = { kind: 'changed', owner: own, isSure: true } as const
  assert.deepEqual(await epochsAfter([news]), none)
  assert.deepEqual(await epochsAfter([{ ...news, what: 'part' }]), { exited: 1, image: 1 })
  assert.deepEqual(await epochsAfter([{ ...news, what: 'part' }], true), none)
})

test('an image is one where an image was missing', async () => {
  const news = { kind: 'changed', owner: undefined, isSure: false, what: 'image' } as const
  assert.deepEqual(await epochsAfter([news]), { exited: 0, image: 1 })
})

test('an engine that was away and is back', async () => {
  let isAway = false
  const monitor = postOf({
    ...silent,
    async list() {
      if (isAway) throw new Problem({ type: 'runtime', code: 'unreachable', message: 'away' })
      return { apps: new Map(), orphans: new Map() }
    },
  })
  await monitor.look()
  assert.equal(monitor.epoch(own, 'exited'), 0)
  isAway = true
  await monitor.look()
  isAway = false
  await monitor.look()
  assert.equal(monitor.epoch(own, 'exited'), 1)
})

test('who is told to stop while the engine goes away stops', async () => {
  const stop = new AbortController()
  const monitor = postOf({
    ...silent,
    // the stream breaks, and the look after it finds nobody and is overtaken by the stop
    async *watch() {
      yield { kind: 'listening' }
      throw new Error('the line broke')
    },
    async list() {
      stop.abort()
      throw new Problem({ type: 'runtime', code: 'unreachable', message: 'away' })
    },
  })
  await monitor.keep(stop.signal)
  assert.equal(monitor.problem()?.message, 'away')
})

function unasked(): never {
  throw new Error('nobody asks for this here')
}

const silent: Connection = {
  place: { address: 'here' },
  ports: unasked,
  list: async () => ({ apps: new Map(), orphans: new Map() }),
  watch: unasked,
  ping: async () => undefined,
  close: () => undefined,
}
