/** What replicas tell each other of a repository: where its refs are, and why somebody asked. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import type { Json } from '#model/json.ts'
import { fakeRepository } from '../../../test/fake/repository.ts'
import { metricsOf } from '../api/metrics.ts'
import { dutyOf, sharedRefs } from './shared-refs.ts'

function scene(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'tend-refs-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const repository = { ...fakeRepository(folder), comesFrom: async () => true }
  const told: Json[] = []
  const around = { metrics: metricsOf(() => []), stop: new AbortController().signal }
  const peers = { shown: new Map(), isOurs: () => true, addressOf: () => undefined }
  const show = (_: string, body: Json | undefined) => void told.push(body ?? null)
  const one = sharedRefs({ ...peers, show }, around)
  const other = sharedRefs({ ...peers, show: () => undefined }, around)
  const repo = { id: 'shop', repository }
  return { repository, repo, told, one, other, key: dutyOf(repo) }
}

test('the others hear why it was asked and by whom', async (t) => {
  const { repository, repo, told, one, other, key } = scene(t)
  repository.commit({ a: '1' })
  await one.latest(repo, ['main'], false, { trigger: 'manual', by: 'ada' })
  assert.ok(other.showed(key, told[0]))
  assert.deepEqual(other.causeOf(key), { trigger: 'manual', by: 'ada' })
})

test('the same refs for another reason are no news, and the start of one replica is no reason for another', async (t) => {
  const { repository, repo, told, one, other, key } = scene(t)
  repository.commit({ a: '1' })
  await one.latest(repo, ['main'], false, { trigger: 'start-up' })
  await one.latest(repo, ['main'], false, { trigger: 'manual', by: 'ada' })
  assert.equal(told.length, 1)
  other.showed(key, told[0])
  assert.equal(other.causeOf(key), undefined)
})
