import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { lstatSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { layDown, sweep } from './placed-files.ts'

const { signal } = new AbortController()
const scratch = mkdtempSync(join(tmpdir(), 'tend-placed-'))
after(() => rmSync(scratch, { recursive: true }))
let count = 0

function scene(files: Readonly<Record<string, string>>) {
  const here = join(scratch, String((count += 1)))
  const [root, folder] = [join(here, 'files'), join(here, 'snapshot')]
  mkdirSync(folder, { recursive: true })
  function commit(more: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(more)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
  }
  commit(files)
  const lay = (inside: string, path: string, isWritable = false): Promise<void> =>
    layDown(
      root,
      { shown: folder, folder },
      [{ hostPath: join(root, inside), path, isWritable }],
      signal,
    )
  const read = (inside: string): string => readFileSync(join(root, inside), 'utf8')
  return { here, root, folder, commit, lay, read }
}

test('a file and a folder that nobody writes: whole, with their modes, and not made twice', async () => {
  const { root, folder, lay, read } = scene({ 'a.conf': 'one', 'dir/x/run.sh': 'x', 'dir/y': 'y' })
  symlinkSync('../a.conf', join(folder, 'dir/link'))
  await lay('h1/a.conf', 'a.conf')
  await lay('h2/dir', 'dir')
  assert.deepEqual(
    [read('h1/a.conf'), read('h2/dir/x/run.sh'), read('h2/dir/link')],
    ['one', 'x', 'one'],
  )
  const before = statSync(join(root, 'h1/a.conf')).ino
  await lay('h1/a.conf', 'a.conf')
  assert.equal(statSync(join(root, 'h1/a.conf')).ino, before)
  await lay('h1/b.conf', 'a.conf')
  assert.equal(read('h1/b.conf'), 'one')
  assert.deepEqual(
    readdirSync(root).filter((name) => name.startsWith('.new')),
    [],
  )
})

test('what a container wrote stays until the snapshot has another version; nothing is emptied', async () => {
  const { root, commit, lay, read } = scene({ 'data/settings.ini': 'one', 'data/seed.sql': 's' })
  await lay('web/data', 'data', true)
  writeFileSync(join(root, 'web/data/settings.ini'), 'by the container')
  writeFileSync(join(root, 'web/data/database'), 'rows')
  await lay('web/data', 'data', true)
  assert.equal(read('web/data/settings.ini'), 'by the container')
  commit({ 'data/seed.sql': 't' })
  await lay('web/data', 'data', true)
  assert.deepEqual(
    [read('web/data/settings.ini'), read('web/data/seed.sql')],
    ['by the container', 't'],
  )
  commit({ 'data/settings.ini': 'two' })
  await lay('web/data', 'data', true)
  assert.deepEqual([read('web/data/settings.ini'), read('web/data/database')], ['two', 'rows'])
  rmSync(join(root, 'web/data/seed.sql'))
  await lay('web/data', 'data', true)
  assert.equal(read('web/data/seed.sql'), 't')
})

test('a writable folder that the snapshot does not hold is made, a single file is seeded', async () => {
  const { root, lay, read } = scene({ 'one.txt': '1' })
  await lay('web/uploads', 'uploads', true)
  assert.deepEqual(readdirSync(join(root, 'web/uploads')), [])
  await lay('web/one.txt', 'one.txt', true)
  assert.equal(read('web/one.txt'), '1')
})

test('nothing leads out: links in the snapshot, links that a container planted, paths', async () => {
  const { here, root, folder, lay, commit } = scene({ 'a/b': '1', 'dir/sub/f': 'x' })
  symlinkSync('/etc/passwd', join(folder, 'out'))
  symlinkSync('/etc', join(folder, 'a/etc'))
  await assert.rejects(lay('h1/out', 'out'), /is a link to \/etc\/passwd, outside/)
  await assert.rejects(lay('h2/a', 'a'), /a\/etc is a link to \/etc, outside/)
  await assert.rejects(lay('web/a', 'a', true), /a\/etc is a link to \/etc, outside/)
  await assert.rejects(lay('h3/x', '../../x'), /not in|outside/)
  for (const inside of ['../x/y', '.seeded/x', 'h1/../../x', 'h1', 'h1/x/y', 'lock/x']) {
    await assert.rejects(lay(inside, 'a/b'), /is no place for a file/, inside)
  }
  await assert.rejects(lay('h4/nothing', 'nothing'), /nothing is bound, but is not in/)
  await lay('web/dir', 'dir', true)
  const outside = join(here, 'outside')
  mkdirSync(outside)
  rmSync(join(root, 'web/dir/sub'), { recursive: true })
  symlinkSync(outside, join(root, 'web/dir/sub'))
  commit({ 'dir/sub/f': 'other' })
  await assert.rejects(lay('web/dir', 'dir', true), /a link or a file stands where a folder/)
  assert.deepEqual(readdirSync(outside), [])
  writeFileSync(join(outside, 'mine'), 'mine')
  rmSync(join(root, 'web/dir/sub'))
  mkdirSync(join(root, 'web/dir/sub'))
  symlinkSync(join(outside, 'mine'), join(root, 'web/dir/sub/f'))
  await lay('web/dir', 'dir', true)
  assert.equal(readFileSync(join(outside, 'mine'), 'utf8'), 'mine')
})

test('a bound file whose place was taken by a link is put there again', async () => {
  const { here, root, lay, read } = scene({ 'dir/f': 'x' })
  await lay('web/dir/f', 'dir/f', true)
  writeFileSync(join(here, 'mine'), 'mine')
  rmSync(join(root, 'web/dir/f'))
  symlinkSync(join(here, 'mine'), join(root, 'web/dir/f'))
  await lay('web/dir/f', 'dir/f', true)
  assert.ok(lstatSync(join(root, 'web/dir/f')).isFile())
  assert.deepEqual([read('web/dir/f'), readFileSync(join(here, 'mine'), 'utf8')], ['x', 'mine'])
})

test('sweeping takes copies that nobody needed for an hour, and never what is writable', async () => {
  const { root, lay } = scene({ a: '1', 'data/x': '' })
  await lay('h1/a', 'a')
  await lay('h2/a', 'a')
  await lay('web/data', 'data', true)
  await sweep(root, new Set())
  assert.ok(existsSync(join(root, 'h1/a')))
  const later = Date.now() + 2 * 60 * 60 * 1000
  await sweep(root, new Set([join(root, 'h1/a')]), later)
  assert.deepEqual(
    ['h1/a', 'h2', 'web/data/x'].map((path) => existsSync(join(root, path))),
    [true, false, true],
  )
})
