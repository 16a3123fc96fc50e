import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import type { Repository } from '#model/source.ts'
import { memoryNotes } from '#store/memory.ts'
import { fakeRepository, type FakeRepository } from '../../test/fake/repository.ts'
import { systemClock } from '../../test/testbed/drive.ts'
import { branchOf, repoOf, type Branch, type BranchHooks, type Repo } from './branches.ts'
import { metricsOf } from './metrics.ts'

type Scene = {
  readonly repository: FakeRepository
  readonly repo: Repo
  readonly branch: Branch
  /** Revisions that were taken over. */
  readonly moved: string[]
  readonly hooks: { moved: BranchHooks['moved'] }
}

const source = {
  kind: 'git',
  url: 'https://git.test/shop',
  ref: 'main',
  credential: undefined,
  submodules: false,
} as const

function scene(
  t: TestContext,
  around: (real: FakeRepository) => Partial<Repository> = () => ({}),
): Scene {
  const folder = mkdtempSync(join(tmpdir(), 'tend-branches-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const repository = fakeRepository(folder)
  const moved: string[] = []
  const hooks = {
    clock: systemClock,
    notes: memoryNotes(),
    metrics: metricsOf(() => []),
    stop: new AbortController().signal,
    told: () => undefined,
    async moved({ status }: Branch) {
      moved.push(status.revision)
    },
  }
  const repo = repoOf('shop', { ...repository, ...around(repository) }, hooks)
  const branch = branchOf(source, repository.shown)
  repo.branches.set('main', branch)
  return { repository, repo, branch, moved, hooks }
}

test('what a forge announced is got while the repository is asked', async (t) => {
  const order: string[] = []
  const { repository, repo, moved } = scene(t, (real) => ({
    async latest(refs, signal) {
      order.push('asked')
      const answer = await real.latest(refs, signal)
      await new Promise((resolve) => setImmediate(resolve))
      order.push('answered')
      return answer
    },
    async snapshot(revision, ref, signal) {
      order.push('got')
      return real.snapshot(revision, ref, signal)
    },
  }))
  const revision = repository.commit({ a: '1' })
  repo.announced.set('main', revision)
  await repo.ask()
  assert.deepEqual(order, ['got', 'asked', 'answered'])
  assert.deepEqual(moved, [revision])
  assert.equal(repository.asked.snapshot, 1)
})

test('what a forge announced and the repository does not confirm is never used', async (t) => {
  const { repository, repo, branch, moved } = scene(t)
  const older = repository.commit({ a: '1' })
  const newest = repository.commit({ a: '2' })
  repo.announced.set('main', older)
  await repo.ask()
  assert.deepEqual(moved, [newest])
  repo.announced.set('main', 'f'.repeat(40))
  await repo.ask()
  assert.deepEqual(moved, [newest])
  assert.equal(branch.status.state, 'completed')
  repository.trouble = 'down'
  repo.announced.set('main', older)
  await repo.ask()
  assert.deepEqual(moved, [newest])
  assert.equal(branch.status.state, 'failed')
})

test('a snapshot that could not be taken over is read again, though the repository did not move', async (t) => {
  const { repository, repo, branch, moved, hooks } = scene(t)
  const usual = hooks.moved
  hooks.moved = async () => {
    throw new Error('no room left')
  }
  const revision = repository.commit({ a: '1' })
  await repo.ask()
  assert.equal(branch.status.state, 'failed')
  assert.deepEqual(moved, [])
  hooks.moved = usual
  await repo.ask()
  assert.equal(branch.status.state, 'completed')
  assert.deepEqual(moved, [revision])
  await repo.ask()
  assert.deepEqual(moved, [revision])
})
