import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunRecord, Store } from '#model/store.ts'
import { memoryStore } from '#store/memory.ts'
import { setSeen, updatePersisted } from '../state/app-state.ts'
import { createAppState } from '../state/create-app-state.ts'
import { lookForRival, noteAsApplied } from './other-service.ts'

const application = { kind: 'stack', namespace: null, name: 'web' } as const

function seen(...hashes: readonly string[]) {
  const records = hashes.map((hash) => ({ ref: 'container/web-1', hash }))
  const containers = { running: 1, total: 1 }
  return { since: 1, mark: undefined, containers, records, fingerprint: hashes.join(' ') }
}

/** As applied at 1000, with one container. */
function applied() {
  const persisted = { since: 1, from: '', removes: false, isRemoved: false }
  const app = createAppState(application, 'tend', persisted)
  updatePersisted(app, { synced: { revision: 'r', message: '', hash: 'h', at: 900 } })
  setSeen(app, seen('own'))
  noteAsApplied(app, 1000)
  return app
}

function around(store: Pick<Store, 'application'>) {
  const lines: string[] = []
  const log = (_: string, line: string): void => void lines.push(line)
  const dependencies = { instance: 'tend', log, store: { ...memoryStore(), ...store } }
  return { dependencies, lines }
}

function withRun(endedAt: number | undefined): Pick<Store, 'application'> {
  const run = {
    number: 2,
    startedAt: 500,
    endedAt,
    trigger: 'manual',
    outcome: 'succeeded',
  } as const
  const lastRun: RunRecord = {
    ...run,
    version: '',
    hash: '',
    isRolledBack: false,
    summary: undefined,
    hasSnapshot: true,
  }
  const known = { application, since: 1, source: null, isUninstalled: false, lastRun }
  return { application: async () => known }
}

test('a record that no run of this home wrote is another service, and that is told once', async () => {
  const app = applied()
  const service = around(withRun(900))
  for (const found of [seen('own'), seen('own', 'other'), seen('other')]) {
    setSeen(app, found)
    await lookForRival(service, app)
  }
  assert.match(app.rival ?? '', /^another service with the instance name tend changed container/)
  assert.equal(service.lines.length, 1)
  setSeen(app, seen('own'))
  await lookForRival(service, app)
  assert.equal(app.rival, undefined)
})

test('a command of this home is none, under way or ended, nor is anything while the history can not be read', async () => {
  const unread = { application: () => Promise.reject(new Error('it is locked')) }
  for (const store of [withRun(1100), withRun(undefined), unread]) {
    const app = applied()
    setSeen(app, seen('other'))
    await lookForRival(around(store), app)
    assert.equal(app.rival, undefined)
  }
})

test('what was not seen as applied, or is to be another by now, says nothing of others', async () => {
  const service = around(withRun(900))
  const app = applied()
  updatePersisted(app, { synced: { revision: 'r', message: '', hash: 'new', at: 1200 } })
  setSeen(app, seen('other'))
  await lookForRival(service, app)
  assert.equal(app.rival, undefined)
})
