import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import type { Cause } from '#model/event.ts'
import { Problem } from '#model/problem.ts'
import type { Repository } from '#model/source.ts'
import { memoryNotes } from '#store/memory.ts'
import { fakeRepository, type FakeRepository } from '../../../test/fake/repository.ts'
import { systemClock } from '../../../test/testbed/drive.ts'
import { branchOf } from './branch-of.ts'
import { repoOf, type Branch, type BranchHooks, type Repo } from './repository-poller.ts'
import { metricsOf } from '../api/metrics.ts'
import { refProblem } from '#sources/git/refs.ts'

type Scene = {
  readonly repository: FakeRepository
  readonly repo: Repo
  readonly branch: Branch
  /** Revisions that were taken over. */
  readonly moved: string[]
  /** Why, of each. */
  readonly causes: Cause[]
  readonly hooks: Pick<BranchHooks, 'metrics'> & { moved: BranchHooks['moved'] }
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
  notes = memoryNotes(),
): Scene {
  const folder = mkdtempSync(join(tmpdir(), 'tend-branches-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const repository = fakeRepository(folder)
  const moved: string[] = []
  const causes: Cause[] = []
  const hooks = {
    clock: systemClock,
    notes,
    metrics: metricsOf(() => []),
    stop: new AbortController().signal,
    latest: ({ repository: asked }: Repo, refs: readonly string[]) =>
      asked.latest(refs, new AbortController().signal),
    told: () => undefined,
    moving: () => undefined,
    async moved({ status }: Branch, cause: Cause) {
      moved.push(status.revision)
      causes.push(cause)
    },
  }
  const repo = repoOf('shop', { ...repository, ...around(repository) }, hooks)
  const branch = branchOf(source, repository.shown)
  repo.branches.set('main', branch)
  return { repository, repo, branch, moved, causes, hooks }
}

test('a ref that can not be one, and one that is not there, harm nobody else of the repository', async (t) => {
  const { repository, repo, branch, moved } = scene(t, (real) => ({
    refProblem,
    async latest(refs, signal) {
      for (const problem of refs.map(refProblem)) if (problem !== undefined) throw problem
      const found = await real.latest(refs, signal)
      return new Map([...found].map(([ref, id]) => [ref, ref === 'main' ? id : undefined]))
    },
  }))
  const others = ['--upload-pack=x', 'semver:none', 'nowhere'].map((ref) => {
    const other = branchOf({ ...source, ref }, repository.shown)
    repo.branches.set(ref, other)
    return other
  })
  const id = repository.commit({ a: '1' })
  await repo.ask()
  assert.deepEqual(moved, [id])
  assert.equal(branch.status.state, 'completed')
  assert.equal(repo.failures, 0, 'it is asked as often as before')
  const words = others.map(({ status }) => status.problem?.message ?? '')
  assert.match(words[0] ?? '', /is not the name of a branch/)
  assert.match(words[1] ?? '', /is not a range of versions/)
  assert.match(words[2] ?? '', /nowhere/)
})

test('what moved says why it was asked for and by whom, and nobody is named for what comes later', async (t) => {
  const { repository, repo, causes } = scene(t)
  repository.commit({ a: '1' })
  await repo.ask()
  repository.commit({ a: '2' })
  repo.cause = { trigger: 'manual', by: 'ada' }
  await repo.ask()
  repository.commit({ a: '3' })
  await repo.poll()
  assert.deepEqual(causes, [
    { trigger: 'start-up' },
    { trigger: 'manual', by: 'ada' },
    { trigger: 'refresh' },
  ])
})

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

test('history that was rewritten is said, after the move was taken over, until the next one', async (t) => {
  const notes = memoryNotes()
  let answer: (isHeir: boolean) => void = () => undefined
  const asked: string[] = []
  const newest = (): string | undefined => asked.at(-1)?.slice(2)
  const around = (real: FakeRepository): Partial<Repository> => ({
    ...real,
    async comesFrom(revision, from) {
      asked.push(`${moved.length} ${from} ${revision}`)
      return new Promise((resolve) => (answer = resolve))
    },
  })
  const { repository, repo, branch, moved, hooks } = scene(t, around, notes)
  const one = repository.commit({ a: '1' })
  await repo.ask()
  await repo.ask()
  assert.deepEqual(asked, [])
  const two = repository.commit({ a: '2' })
  await repo.ask()
  // nobody waits for the answer, and a quiet refresh does not ask again
  await repo.ask()
  assert.deepEqual(asked, [`2 ${one} ${two}`])
  const three = repository.commit({ a: '3' })
  await repo.ask()
  answer(false)
  await settled()
  // the second was gone before it was known where it came from: the third is held against the first
  assert.deepEqual(asked.slice(1), [`3 ${one} ${three}`])
  assert.equal(branch.status.rewritten?.from, one)
  assert.match(hooks.metrics.text(), /^tend_source_rewrites_total 1$/m)
  await repo.ask()
  assert.equal(branch.status.rewritten?.from, one)

  const again = scene(t, () => around(repository), notes)
  await again.repo.ask()
  assert.equal(again.branch.status.rewritten?.from, one)
  const four = repository.commit({ a: '4' })
  await again.repo.ask()
  assert.equal(again.branch.status.rewritten, undefined)
  assert.equal(newest(), `${three} ${four}`)
  answer(true)
  await settled()
  assert.equal(again.branch.status.rewritten, undefined)

  // pushed with force while no service ran
  const five = repository.commit({ a: '5' })
  const third = scene(t, () => around(repository), notes)
  await third.repo.ask()
  assert.equal(newest(), `${four} ${five}`)
  answer(false)
  await settled()
  assert.equal(third.branch.status.rewritten?.from, four)
})

test('where a commit comes from is asked again when the repository could not tell, and not for ever', async (t) => {
  let asked = 0
  let answer: () => Promise<boolean> = async () => Promise.reject(new Error('the line is dead'))
  const { repository, repo, branch } = scene(t, () => ({
    async comesFrom() {
      asked += 1
      return answer()
    },
  }))
  async function ask(): Promise<number> {
    await repo.ask()
    await settled()
    return asked
  }
  const one = repository.commit({ a: '1' })
  await ask()
  repository.commit({ a: '2' })
  assert.equal(await ask(), 1)
  answer = async () => false
  assert.equal(await ask(), 2)
  assert.equal(branch.status.rewritten?.from, one)
  assert.equal(await ask(), 2)
  answer = async () => Promise.reject(new Error('the line is dead'))
  repository.commit({ a: '3' })
  for (const times of [3, 4, 5, 5, 5]) assert.equal(await ask(), times)
  assert.equal(branch.status.rewritten, undefined)
})

async function settled(): Promise<void> {
  for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve))
}

for (const [name, trouble] of [
  ['a branch that was deleted', 'has no branch, tag or commit "main"'],
  ['a repository that is down', 'its host does not answer'],
] as const) {
  test(`${name}: the last good snapshot is kept, and that is said`, async (t) => {
    let isGone = false
    const { repository, repo, branch } = scene(t, (real) => ({
      async latest(refs, signal) {
        const there = await real.latest(refs, signal)
        return isGone ? new Map() : there
      },
    }))
    const revision = repository.commit({ a: '1' })
    await repo.ask()
    if (trouble.startsWith('has')) isGone = true
    else repository.trouble = trouble
    await repo.ask()
    const { status, snapshot } = branch
    assert.equal(status.state, 'failed')
    assert.ok(status.problem?.message.includes(trouble))
    const kept = `The last good snapshot, ${revision.slice(0, 12)}, is kept.`
    assert.deepEqual(status.problem?.details, [kept])
    assert.equal(snapshot?.revision, revision)
  })
}

test('what was read before a restart is not swept away while it can not be read again', async (t) => {
  const notes = memoryNotes()
  const before = scene(t, () => ({}), notes)
  const good = before.repository.commit({ a: '1' })
  await before.repo.ask()
  const kept: string[][] = []
  const refused = scene(
    t,
    () => ({
      latest: async () => new Map([['main', 'b'.repeat(40)]]),
      snapshot: () => Promise.reject(new Error('its signature can not be looked at')),
      keepOnly: async (revisions) => void kept.push([...revisions]),
    }),
    notes,
  )
  await refused.repo.ask()
  assert.equal(refused.branch.snapshot, undefined)
  assert.deepEqual(kept, [[good]])
})

test('a push to one ref reads that one, and leaves the others to their time', async (t) => {
  const tips = new Map([
    ['main', '1'],
    ['release', '2'],
  ])
  const { repository, repo, branch } = scene(t, (real) => ({
    latest: async (refs) => new Map(refs.map((ref) => [ref, tips.get(ref)])),
    snapshot: async (revision, ref, signal) => ({
      ...(await real.snapshot(id, ref, signal)),
      revision,
    }),
  }))
  const id = repository.commit({ a: '1' })
  repo.interval = 60_000
  const release = branchOf({ ...source, ref: 'release' }, repository.shown)
  repo.branches.set('release', release)
  await repo.poll()
  const due = repo.nextAsking
  const at = release.status.at
  tips.set('main', '3').set('release', '4')
  await Promise.all([repo.ask(['main']), settled()])
  assert.deepEqual(
    [branch, release].map(({ status }) => status.revision),
    ['3', '2'],
  )
  assert.equal(release.status.at, at)
  assert.equal(repo.nextAsking, due, 'the others do not wait longer')
  // two at once are both heard, and whoever asks for all gets all
  tips.set('main', '5')
  await Promise.all([repo.ask(['main']), repo.ask(['main']), repo.ask(['release'])])
  assert.deepEqual(
    [branch, release].map(({ status }) => status.revision),
    ['5', '4'],
  )
  tips.set('release', '6')
  await Promise.all([repo.ask(['main']), repo.ask()])
  assert.equal(release.status.revision, '6')
})

test('a revision that must not be used is told since when, and after a restart too', async (t) => {
  const notes = memoryNotes()
  let bad: string | undefined
  const refusing = (real: FakeRepository): Partial<Repository> => ({
    async snapshot(revision, ref, signal) {
      if (revision !== bad) return real.snapshot(revision, ref, signal)
      const message = `the commit ${revision.slice(0, 12)} is not used: it is not signed`
      throw new Problem({ type: 'configuration', code: 'git_error', message })
    },
  })
  const { repository, repo, branch } = scene(t, refusing, notes)
  const good = repository.commit({ a: '1' })
  await repo.ask()
  const refusedNow = (of: Branch) => of.status.refused
  assert.equal(refusedNow(branch), undefined)
  bad = repository.commit({ a: '2' })
  await repo.ask()
  const refused = refusedNow(branch)
  assert.equal(refused?.revision, bad)
  assert.match(refused.problem.message, /is not signed/)
  assert.equal(branch.snapshot?.revision, good, 'what was read before stays')
  repository.trouble = 'the wire is cut'
  await repo.ask()
  assert.equal(branch.status.problem?.message, 'the wire is cut')
  assert.deepEqual(refusedNow(branch), refused, 'nobody took it back meanwhile')

  const next = scene(
    t,
    () => ({ ...refusing(repository), latest: (refs, signal) => repository.latest(refs, signal) }),
    notes,
  )
  repository.trouble = undefined
  await next.repo.ask()
  assert.equal(refusedNow(next.branch)?.since, refused.since)
  bad = undefined
  await next.repo.ask()
  assert.equal(refusedNow(next.branch), undefined)
  assert.equal(next.branch.status.state, 'completed')
})
