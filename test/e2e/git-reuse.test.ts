/** Commit after commit in one folder: each has exactly its own files, whatever lay there before. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, readlinkSync, lstatSync } from 'node:fs'
import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Repository, Snapshot } from '#model/source.ts'
import { gitRepository } from '#sources/git/repository.ts'
import { gitBench, type Bench } from '../testbed/git.ts'

const { signal } = new AbortController()
const benches: Bench[] = []
after(() => benches.forEach((bench) => bench.remove()))

function bench(): { readonly at: Bench; readonly repository: Repository } {
  const at = gitBench()
  benches.push(at)
  const cache = join(at.folder, 'cache')
  const { environment } = at
  const how = { url: at.bare, credential: undefined, submodules: false, cache, environment }
  return { at, repository: gitRepository(how) }
}

/** As the service does it: the newest and the one before are held. */
function followed(at: Bench, repository: Repository): () => Promise<Snapshot> {
  let before = ''
  return async () => {
    at.git('add', '-A')
    at.git('commit', '-q', '--allow-empty', '-m', 'next')
    at.git('push', '-q', 'origin', 'HEAD')
    const revision = at.git('rev-parse', 'HEAD')
    const snapshot = await repository.snapshot(revision, 'main', signal)
    await repository.keepOnly(new Set([revision, before]))
    before = revision
    return snapshot
  }
}

function contentOf(folder: string, inside = ''): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const entry of readdirSync(join(folder, inside), { withFileTypes: true })) {
    const path = join(inside, entry.name)
    const full = join(folder, path)
    if (entry.name === '.git') continue
    if (entry.isDirectory()) Object.assign(found, contentOf(folder, path))
    else if (entry.isSymbolicLink()) found[path] = `-> ${readlinkSync(full)}`
    else
      found[path] =
        `${(lstatSync(full).mode & 0o111) === 0 ? '' : 'x '}${readFileSync(full, 'utf8')}`
  }
  return found
}

function spareIn({ folder }: Snapshot): string {
  const name = readdirSync(join(folder, '..')).find((one) => one.startsWith('.spare-'))
  assert.ok(name, 'nothing is laid by')
  return join(folder, '..', name)
}

test('files come, change, go, become programs, folders and links, and each commit is exactly itself', async () => {
  const { at, repository } = bench()
  const next = followed(at, repository)
  const put = (path: string, text: string): void => {
    mkdirSync(join(at.work, path, '..'), { recursive: true })
    writeFileSync(join(at.work, path), text)
  }
  const drop = (path: string): void => rmSync(join(at.work, path), { recursive: true })
  const steps: readonly (() => void)[] = [
    () =>
      ['web/compose.yaml', 'db/compose.yaml', 'db/init/a.sql', 'one', 'run'].forEach((path) =>
        put(path, path),
      ),
    () => put('web/compose.yaml', 'second'),
    () => put('web/compose.yaml', 'third!'),
    () => drop('db/init'),
    () => chmodSync(join(at.work, 'run'), 0o755),
    () => (drop('one'), put('one/two/three', 'deep')),
    () => symlinkSync('web/compose.yaml', join(at.work, 'link')),
    () => (drop('link'), put('link', 'a file now')),
    () => (drop('web'), symlinkSync('db', join(at.work, 'web'))),
    () => (drop('web'), put('web/compose.yaml', 'no link any more')),
    () => (drop('one'), put('one', 'a file again')),
    () => undefined,
  ]
  for (const [i, step] of steps.entries()) {
    step()
    const snapshot = await next()
    const wanted = contentOf(at.work)
    assert.deepEqual(contentOf(snapshot.folder), wanted, `commit ${i}`)
    for (const path of snapshot.tree.list('')) {
      assert.equal(
        Buffer.from(snapshot.tree.read(path) ?? []).toString(),
        readFileSync(join(at.work, path), 'utf8'),
      )
    }
    assert.equal(snapshot.tree.read('not/there'), undefined)
  }
})

test('a folder that somebody harmed is not built upon', async () => {
  const { at, repository } = bench()
  const next = followed(at, repository)
  writeFileSync(join(at.work, 'a'), 'stays as it is')
  writeFileSync(join(at.work, 'b'), '0')
  await next()
  for (const [i, harm] of [
    (folder: string) => truncateSync(join(folder, 'a'), 3),
    (folder: string) => writeFileSync(join(folder, 'foreign'), 'not ours'),
    (folder: string) => rmSync(join(folder, 'a')),
  ].entries()) {
    let last: Snapshot | undefined
    for (let n = 0; n < 3; n += 1) {
      writeFileSync(join(at.work, 'b'), `${i} ${n}`)
      last = await next()
    }
    harm(spareIn(last!))
    writeFileSync(join(at.work, 'b'), `after ${i}`)
    const { folder } = await next()
    assert.deepEqual(contentOf(folder), contentOf(at.work))
  }
})

test('the folder before is not touched by the next commit, and only one more is laid by', async () => {
  const { at, repository } = bench()
  const next = followed(at, repository)
  let before: { readonly folder: string; readonly content: object } | undefined
  for (let n = 0; n < 6; n += 1) {
    writeFileSync(join(at.work, 'a'), `${n}`)
    const { folder } = await next()
    if (before !== undefined) assert.deepEqual(contentOf(before.folder), before.content)
    before = { folder, content: contentOf(folder) }
    const folders = readdirSync(join(folder, '..')).filter((name) => !name.endsWith('.json'))
    assert.ok(folders.length <= 3, folders.join(' '))
    assert.ok(existsSync(folder))
  }
})
