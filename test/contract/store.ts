/** What every store does, whatever it keeps its runs in. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { keyOf, type Application } from '#model/application.ts'
import type { Event, Summary } from '#model/event.ts'
import type { NewRun, Store, StoredSnapshot } from '#model/store.ts'

export const web: Application = { kind: 'chart', namespace: null, name: 'web' }

export function snapshotOf(
  version: string,
  secrets: Readonly<Record<string, string>> = {},
): StoredSnapshot {
  const entries = Object.entries(secrets)
  return {
    version,
    resources: [
      {
        ref: 'container/web',
        spec: { image: `web:${version}`, env: { PASSWORD: { sealed: 'secret/web' } }, ports: [] },
        needs: [{ ref: 'network/front', until: 'exists', renew: false }],
        origin: { file: 'templates/web.yaml', line: 3, column: 1 },
        problems: [],
      },
    ],
    secrets: new Map(entries.map(([id, text]) => [id, new TextEncoder().encode(text)])),
    source: { path: './web', values: { replicas: 1, name: 'ü' } },
  }
}

export function newRun(version = '1.0.0', application = web): NewRun {
  return {
    application,
    since: 1000,
    trigger: 'manual',
    version,
    startedAt: 2000,
    hash: `hash-${version}`,
    snapshot: snapshotOf(version),
  }
}

export const summary: Summary = {
  created: 1,
  updated: 2,
  deleted: 3,
  unchanged: 4,
  failed: 5,
  skipped: 6,
}

export const succeeded = {
  endedAt: 3000,
  outcome: 'succeeded',
  isRolledBack: false,
  summary,
  isUninstalled: false,
} as const

export function storeContract(name: string, make: () => Promise<Store>): void {
  void describe(`${name} as a store`, () => {
    function behaves(how: string, work: (store: Store) => Promise<void>): void {
      void test(how, async () => {
        const store = await make()
        try {
          await work(store)
        } finally {
          await store.close()
        }
      })
    }

    behaves('knows nothing at first', async (store) => {
      assert.deepEqual(await store.applications(), [])
      assert.equal(await store.application(web), undefined)
      assert.deepEqual(await store.runs(web), [])
      assert.deepEqual(await store.events(web, 1), [])
      assert.equal(await store.snapshot(web, 1), undefined)
    })

    behaves('counts the runs of each application from 1', async (store) => {
      const other = { ...web, namespace: 'staging' }
      assert.equal(await store.begin(newRun()), 1)
      assert.equal(await store.begin(newRun()), 2)
      assert.equal(await store.begin(newRun('1.0.0', other)), 1)
      assert.equal(await store.begin(newRun()), 3)
      const numbers = await Promise.all([1, 2, 3, 4].map(() => store.begin(newRun())))
      assert.deepEqual(
        numbers.toSorted((a, b) => a - b),
        [4, 5, 6, 7],
      )
      const records = await store.applications()
      assert.deepEqual(
        records.map(({ application, lastRun }) => [application, lastRun?.number]),
        [
          [other, 1],
          [web, 7],
        ],
      )
    })

    behaves('tells the latest runs of all applications, newest first', async (store) => {
      const other = { ...web, namespace: 'staging' }
      assert.deepEqual(await store.recent(10), [])
      await store.begin({ ...newRun(), startedAt: 1000 })
      await store.begin({ ...newRun('1.0.0', other), startedAt: 3000 })
      await store.begin({ ...newRun(), startedAt: 2000 })
      await store.begin({ ...newRun(), startedAt: 3000 })
      const told = (await store.recent(10)).map(({ key, run }) => [key, run.number])
      const [near, far] = [keyOf(other), keyOf(web)].toSorted()
      assert.deepEqual(
        told.slice(0, 2).map(([key]) => key),
        [near, far],
      )
      assert.deepEqual(told.slice(2), [
        [keyOf(web), 2],
        [keyOf(web), 1],
      ])
      assert.equal((await store.recent(2)).length, 2)
    })

    behaves('records a run from its beginning to its end', async (store) => {
      await store.begin(newRun())
      const begun = {
        number: 1,
        trigger: 'manual',
        version: '1.0.0',
        startedAt: 2000,
        endedAt: undefined,
        outcome: undefined,
        isRolledBack: false,
        summary: undefined,
        hash: 'hash-1.0.0',
        hasSnapshot: true,
      }
      assert.deepEqual(await store.runs(web), [begun])
      const result = { endedAt: 3000, outcome: 'failed', isRolledBack: true, summary } as const
      await store.end(web, 1, { ...result, isUninstalled: false })
      assert.deepEqual(await store.runs(web), [{ ...begun, ...result }])
      await store.begin({ ...newRun('2.0.0'), trigger: 'rollback' })
      assert.deepEqual(
        (await store.runs(web)).map(({ number, trigger }) => [number, trigger]),
        [
          [2, 'rollback'],
          [1, 'manual'],
        ],
      )
    })

    behaves('keeps the images that a run used', async (store) => {
      await store.begin(newRun())
      const images = { 'container/web': { id: 'abc', digest: 'r.example/web@sha256:abc' } }
      await store.end(web, 1, { ...succeeded, images })
      assert.deepEqual((await store.runs(web))[0]?.images, images)
      assert.deepEqual((await store.application(web))?.lastRun?.images, images)
    })

    behaves('an application is as its last run had it', async (store) => {
      await store.begin(newRun())
      await store.end(web, 1, succeeded)
      const snapshot = { ...snapshotOf('2.0.0'), source: { path: './elsewhere' } }
      await store.begin({ ...newRun('2.0.0'), since: 1500, snapshot })
      const record = await store.application(web)
      assert.deepEqual(record?.application, web)
      assert.equal(record?.since, 1500)
      assert.deepEqual(record?.source, { path: './elsewhere' })
      assert.equal(record?.lastRun?.number, 2)
      assert.equal(record?.lastRun?.outcome, undefined)
      assert.deepEqual(await store.applications(), [record])
    })

    behaves(
      'an application is uninstalled when a run said so, until the next begins',
      async (store) => {
        const seen: unknown[] = []
        async function look(): Promise<void> {
          seen.push((await store.application(web))?.isUninstalled)
        }
        await store.begin(newRun())
        await look()
        await store.end(web, 1, { ...succeeded, isUninstalled: true })
        await look()
        await store.begin(newRun())
        await look()
        assert.deepEqual(seen, [false, true, false])
      },
    )

    behaves('keeps events in order, and no progress', async (store) => {
      await store.begin(newRun())
      const events: Event[] = [
        { at: 1, type: 'started', application: web, trigger: 'manual', isDryRun: false },
        { at: 2, type: 'opened', run: 1 },
        { at: 3, type: 'warning', text: 'käse ☃' },
        {
          at: 4,
          type: 'problem',
          problem: { type: 'runtime', code: 'bug', message: 'x', details: ['a', 'b'] },
        },
      ]
      for (const event of events) await store.append(web, 1, event)
      await store.append(web, 1, { at: 5, type: 'progress', ref: 'image/x', text: '40%' })
      assert.deepEqual(await store.events(web, 1), events)
      await store.begin(newRun())
      await store.append(web, 2, { at: 6, type: 'opened', run: 2 })
      assert.deepEqual(await store.events(web, 1), events)
      assert.deepEqual(await store.events(web, 2), [{ at: 6, type: 'opened', run: 2 }])
    })

    behaves('appends that are not awaited one by one keep their order', async (store) => {
      await store.begin(newRun())
      const numbers = Array.from({ length: 100 }, (_, i) => i)
      await Promise.all(numbers.map((at) => store.append(web, 1, { at, type: 'opened', run: 1 })))
      assert.deepEqual(
        (await store.events(web, 1)).map(({ at }) => at),
        numbers,
      )
    })

    behaves('a problem whose cause is an error is kept with its message', async (store) => {
      await store.begin(newRun())
      const cause = new Error('connection refused')
      const problem = { type: 'runtime', code: 'unreachable', message: 'no answer' } as const
      await store.append(web, 1, { at: 1, type: 'problem', problem: { ...problem, cause } })
      assert.deepEqual(await store.events(web, 1), [
        { at: 1, type: 'problem', problem: { ...problem, cause: 'connection refused' } },
      ])
    })

    behaves('gives snapshots back as they were, secrets too', async (store) => {
      const first = snapshotOf('1.0.0', { 'secret/web': 'hunter2', empty: '', other: 'ü\0\n' })
      await store.begin({ ...newRun(), snapshot: first })
      await store.begin({ ...newRun(), snapshot: snapshotOf('1.0.0', { 'secret/web': 'new' }) })
      await store.begin({ ...newRun(), snapshot: snapshotOf('1.0.0') })
      assert.deepEqual(plain(await store.snapshot(web, 1)), plain(first))
      const second = await store.snapshot(web, 2)
      assert.deepEqual(plain(second), plain(snapshotOf('1.0.0', { 'secret/web': 'new' })))
      assert.equal((await store.snapshot(web, 3))?.secrets.size, 0)
      assert.equal(await store.snapshot(web, 4), undefined)
    })

    behaves('a run that was never begun is a mistake', async (store) => {
      await assert.rejects(store.append(web, 1, { at: 1, type: 'opened', run: 1 }))
      await assert.rejects(store.end(web, 1, succeeded))
    })

    behaves(
      'keeps events and snapshots of the newest 50 runs, and the last good snapshot',
      async (store) => {
        const results = new Map([
          [1, succeeded],
          [2, succeeded],
          [3, { ...succeeded, isUninstalled: true }],
        ])
        for (let number = 1; number <= 55; number++) {
          await store.begin(newRun(`${number}`))
          await store.append(web, number, { at: number, type: 'opened', run: number })
          const result = results.get(number) ?? { ...succeeded, outcome: 'failed' }
          await store.end(web, number, result)
        }
        const runs = await store.runs(web)
        assert.equal(runs.length, 55)
        const without = runs.filter((run) => !run.hasSnapshot).map((run) => run.number)
        assert.deepEqual(without, [5, 4, 3, 1])
        for (const { number, hasSnapshot } of runs) {
          const snapshot = await store.snapshot(web, number)
          assert.equal(snapshot?.version, hasSnapshot ? `${number}` : undefined)
          assert.equal((await store.events(web, number)).length, number > 5 ? 1 : 0)
        }
      },
    )

    behaves('a snapshot that several runs share goes only with the last of them', async (store) => {
      for (let number = 1; number <= 60; number++) {
        await store.begin(newRun('same'))
        await store.end(web, number, { ...succeeded, outcome: 'failed' })
      }
      assert.equal(await store.snapshot(web, 10), undefined)
      assert.deepEqual(plain(await store.snapshot(web, 11)), plain(snapshotOf('same')))
    })
  })
}

/** Buffers and arrays of bytes are the same to a reader. */
function plain(snapshot: StoredSnapshot | undefined): unknown {
  if (snapshot === undefined) return undefined
  const secrets = [...snapshot.secrets].map(([id, bytes]) => [id, [...bytes]] as const)
  return { ...snapshot, secrets: Object.fromEntries(secrets) }
}
