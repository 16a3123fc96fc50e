import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { directoryRepository } from './directory-repository.ts'
import { directoryTree } from './directory.ts'
import { revisionOf } from './revision.ts'

const { signal } = new AbortController()
const scratch = mkdtempSync(join(tmpdir(), 'tend-directory-'))
after(() => rmSync(scratch, { recursive: true }))
let count = 0

function scene() {
  const path = join(scratch, `app-${(count += 1)}`)
  mkdirSync(join(path, 'sub'), { recursive: true })
  writeFileSync(join(path, 'a.yaml'), 'one')
  writeFileSync(join(path, 'sub/run.sh'), 'x', { mode: 0o755 })
  return { path, repository: directoryRepository({ path, cache: join(scratch, 'cache') }) }
}

async function newest(repository: ReturnType<typeof directoryRepository>): Promise<string> {
  return (await repository.latest(['x'], signal)).get('x')!
}

test('the revision is the hash over its files, and its snapshot stays when they change', async () => {
  const { path, repository } = scene()
  const revision = await newest(repository)
  assert.equal(revision, revisionOf(directoryTree(path)))
  const snapshot = await repository.snapshot(revision, 'x', signal)
  writeFileSync(join(path, 'a.yaml'), 'two')
  assert.equal(new TextDecoder().decode(snapshot.tree.read('a.yaml')), 'one')
  assert.deepEqual(snapshot.tree.list(''), ['a.yaml', 'sub/run.sh'])
  assert.equal(snapshot.tree.root, path)
  const later = await newest(repository)
  assert.notEqual(later, revision)
  await repository.snapshot(revision, 'x', signal)
  await assert.rejects(repository.snapshot('0123456789ab', 'x', signal), /no longer as it was/)
  await repository.snapshot(later, 'x', signal)
  await repository.keepOnly(new Set([later]))
  assert.ok(!existsSync(snapshot.folder))
})

test('a change that keeps size and time is seen, and links inside become files', async () => {
  const { path, repository } = scene()
  const at = new Date(1_700_000_000_000)
  utimesSync(join(path, 'a.yaml'), at, at)
  const first = await newest(repository)
  assert.equal(await newest(repository), first)
  writeFileSync(join(path, 'a.yaml'), 'ONE')
  utimesSync(join(path, 'a.yaml'), at, at)
  assert.notEqual(await newest(repository), first)
  symlinkSync(join(path, 'a.yaml'), join(path, 'link.yaml'))
  symlinkSync('/etc/passwd', join(path, 'out'))
  const { tree } = await repository.snapshot(await newest(repository), 'x', signal)
  assert.equal(new TextDecoder().decode(tree.read('link.yaml')), 'ONE')
  assert.equal(tree.read('out'), undefined)
  assert.deepEqual(tree.badLinks?.(), ['out'])
})

test('a folder that is gone is said so, and its last snapshot stays', async () => {
  const { path, repository } = scene()
  const revision = await newest(repository)
  await repository.snapshot(revision, 'x', signal)
  rmSync(path, { recursive: true })
  await assert.rejects(repository.latest(['x'], signal), /there is no folder/)
  assert.ok((await repository.snapshot(revision, 'x', signal)).tree.read('a.yaml'))
})

test('a folder that a container fills is refused, and read in turns with others', async () => {
  const { path, repository } = scene()
  const first = await newest(repository)
  for (let file = 0; file < 22; file += 1) {
    execFileSync('truncate', ['-s', '49M', join(path, `f${file}`)])
  }
  await assert.rejects(newest(repository), /has files of 1079 MB, more than the limit of 1024 MB/)
  for (let file = 1; file < 22; file += 1) rmSync(join(path, `f${file}`))
  let turns = 0
  const others = setInterval(() => (turns += 1), 1)
  const before = process.memoryUsage().arrayBuffers
  const later = await newest(repository)
  clearInterval(others)
  assert.notEqual(later, first)
  // each file is read in one turn, and hashed in many
  assert.ok(turns > 8, `others had ${turns} turns`)
  assert.ok(process.memoryUsage().arrayBuffers - before < 150 * 1024 ** 2, 'one file is in memory')
  const { tree } = await repository.snapshot(later, 'x', signal)
  assert.equal(tree.read('f0')?.length, 49 * 1024 ** 2)
})
