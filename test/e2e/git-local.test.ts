/** A repository on this machine: refs, one question for all of them, one fetch when one moved, files in place. */
import assert from 'node:assert/strict'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { cpSync, globSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { execFile, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { Problem } from '#model/problem.ts'
import type { Repository, Snapshot } from '#model/source.ts'
import { gitRepository, type GitOptions } from '#sources/git/repository.ts'
import { gitBench, type Bench } from '../testbed/git.ts'

const { signal } = new AbortController()
const benches: Bench[] = []
after(() => benches.forEach((bench) => bench.remove()))

function bench(): Bench {
  const made = gitBench()
  benches.push(made)
  return made
}

function open(at: Bench, more: Partial<GitOptions> = {}): Repository {
  const cache = join(at.folder, 'cache')
  const { environment } = at
  return gitRepository({
    url: at.bare,
    credential: undefined,
    submodules: false,
    cache,
    environment,
    ...more,
  })
}

async function snapshotAt(repository: Repository, ref: string): Promise<Snapshot> {
  const revision = (await repository.latest([ref], signal)).get(ref)
  assert.ok(revision, ref)
  return repository.snapshot(revision, ref, signal)
}

function textIn({ tree }: Snapshot, path: string): string | undefined {
  const content = tree.read(path)
  return content === undefined ? undefined : new TextDecoder().decode(content)
}

function failure(pattern: RegExp, isRecoverable: boolean): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof Problem, String(error))
    assert.match(error.message, pattern)
    assert.equal(error.code, 'git_error')
    assert.equal(error.recoverable, isRecoverable, error.message)
    return true
  }
}

test('a commit: its files, its subject, its time, modes and links as they were committed', async () => {
  const at = bench()
  symlinkSync('web/compose.yaml', join(at.work, 'link.yaml'))
  symlinkSync('/etc/passwd', join(at.work, 'out'))
  const id = at.commit('First\n\nMore words.', {
    'web/compose.yaml': 'a: 1\n',
    'run.sh': '#!/bin/sh\n',
  })
  const snapshot = await snapshotAt(open(at), 'main')
  assert.equal(snapshot.revision, id)
  assert.equal(snapshot.message, 'First')
  assert.equal(snapshot.at, Number(at.git('log', '-1', '--format=%ct')) * 1000)
  assert.deepEqual(snapshot.tree.list(''), ['link.yaml', 'run.sh', 'web/compose.yaml'])
  assert.equal(textIn(snapshot, 'link.yaml'), 'a: 1\n')
  assert.equal(statSync(join(snapshot.folder, 'run.sh')).mode & 0o777, 0o755)
  assert.throws(
    () => snapshot.tree.read('out'),
    /infra@[0-9a-f]{7}\/out is a link to \/etc\/passwd, outside/,
  )
  assert.ok(!existsSync(join(snapshot.folder, '.git')))
})

test('branches, tags with and without a message, commits full and short: one question for all', async () => {
  const at = bench()
  const first = at.commit('one', { a: '1' })
  at.git('tag', 'plain')
  at.git('tag', '-a', '-m', 'said', 'said')
  const second = at.commit('two', { a: '2' })
  at.git('checkout', '-q', '-b', 'feature/x')
  const third = at.commit('three', { a: '3' })
  at.git('tag', 'main', first)
  at.git('push', '-q', 'origin', 'refs/tags/plain', 'refs/tags/said', 'refs/tags/main')
  const repository = open(at)
  const refs = [
    'main',
    'plain',
    'said',
    'feature/x',
    'refs/tags/main',
    third.slice(0, 9),
    'nothing',
    first,
  ]
  const latest = await repository.latest(refs, signal)
  assert.deepEqual(
    [...latest.values()],
    [second, first, first, third, first, third, undefined, first],
  )
  assert.deepEqual(at.calls(), ['ls-remote'])
  const head = await repository.latest(['HEAD'], signal)
  assert.equal(head.get('HEAD'), second)
  at.calls()
  assert.equal((await repository.latest([first], signal)).get(first), first)
  assert.deepEqual(at.calls(), [])
  assert.equal(textIn(await repository.snapshot(first, 'said', signal), 'a'), '1')
})

test('a short id of a commit that is no newest one is found in the history', async () => {
  const at = bench()
  const first = at.commit('one', { a: '1' })
  at.commit('two', { a: '2' })
  const repository = open(at)
  const short = first.slice(0, 8)
  assert.equal((await repository.latest([short], signal)).get(short), first)
  assert.equal((await repository.latest(['0000000'], signal)).get('0000000'), undefined)
  assert.equal(textIn(await repository.snapshot(first, short, signal), 'a'), '1')
})

test('names that are none are refused before git sees them', async () => {
  const repository = open(bench())
  for (const ref of ['--upload-pack=x', '', 'a b', 'a..b', 'x*', 'a:b', '/a', 'a.lock', 'a\nb']) {
    await assert.rejects(repository.latest([ref], signal), /is not the name of a branch/, ref)
  }
  for (const url of ['ext::sh -c x', '-x', 'git://h/x', 'relative/path', 'ftp://h/x', '']) {
    assert.throws(() => open(bench(), { url }), failure(/address|not fetched over/, false), url)
  }
})

test('nothing is fetched when nothing moved, and once when it did', async () => {
  const at = bench()
  at.commit('one', { a: '1', b: 'x'.repeat(100_000) })
  const repository = open(at)
  await snapshotAt(repository, 'main')
  assert.equal(at.calls().filter((call) => call === 'fetch').length, 1)
  await snapshotAt(repository, 'main')
  assert.deepEqual(at.calls(), ['ls-remote'])
  at.commit('two', { a: '2' })
  const snapshot = await snapshotAt(repository, 'main')
  assert.equal(textIn(snapshot, 'a'), '2')
  assert.equal(at.calls().filter((call) => call === 'fetch').length, 1)
  assert.equal(textIn(await snapshotAt(open(at), 'main'), 'a'), '2')
  assert.deepEqual(at.calls(), ['ls-remote'])
})

test('a fetch brings one commit and no history', async () => {
  const at = bench()
  for (const n of [1, 2, 3]) at.commit(`commit ${n}`, { a: String(n) })
  const snapshot = await snapshotAt(open(at, { url: `file://${at.bare}` }), 'main')
  const bare = join(snapshot.folder, '../../objects.git')
  assert.equal(at.git('--git-dir', bare, 'rev-list', '--all', '--count'), '1')
})

test('several at once end with one good cache and one fetch', async () => {
  const at = bench()
  const files = Array.from({ length: 300 }, (_, i) => [`d${i % 7}/f${i}`, `text ${i}`] as const)
  at.commit('many', Object.fromEntries(files))
  const both = [open(at), open(at), open(at)]
  const snapshots = await Promise.all(both.map((one) => snapshotAt(one, 'main')))
  for (const snapshot of snapshots) assert.equal(snapshot.tree.list('').length, 300)
  assert.equal(at.calls().filter((call) => call === 'fetch').length, 1)
  const [home] = readdirSync(join(at.folder, 'cache'))
  const left = readdirSync(join(at.folder, 'cache', home!, 'trees'))
  assert.deepEqual(
    left.filter((name) => name.startsWith('.new')),
    [],
  )
})

test('keepOnly drops the others and keeps what is named', async () => {
  const at = bench()
  const first = at.commit('one', { a: '1' })
  const repository = open(at)
  await snapshotAt(repository, 'main')
  const second = at.commit('two', { a: '2' })
  const { folder } = await snapshotAt(repository, 'main')
  const old = join(folder, '..', first)
  assert.ok(existsSync(old))
  await repository.keepOnly(new Set([second]))
  assert.ok(!existsSync(old) && existsSync(folder))
  assert.equal(textIn(await repository.snapshot(first, 'main', signal), 'a'), '1')
})

test('where no new files came, keepOnly looks for no old ones', async () => {
  const at = bench()
  const first = at.commit('one', { a: '1' })
  const repository = open(at)
  const { folder } = await snapshotAt(repository, 'main')
  const lock = join(folder, '../../lock')
  const isLookedAt = async (revision: string): Promise<boolean> => {
    rmSync(lock, { force: true })
    await repository.keepOnly(new Set([revision]))
    return existsSync(lock)
  }
  assert.deepEqual([await isLookedAt(first), await isLookedAt(first)], [true, false])
  const second = at.commit('two', { a: '2' })
  await snapshotAt(repository, 'main')
  // the same as before, but one came since
  assert.deepEqual([await isLookedAt(first), await isLookedAt(second)], [true, true])
})

test('after a forced push the new commit is used, and the old one stays readable', async () => {
  const at = bench()
  at.commit('one', { a: '1' })
  const repository = open(at)
  const old = await snapshotAt(repository, 'main')
  at.git('commit', '-q', '--amend', '-m', 'other')
  const fresh = at.commit('three', { a: '3' })
  at.git('--git-dir', at.bare, 'reflog', 'expire', '--expire=now', '--all')
  at.git('--git-dir', at.bare, 'gc', '-q', '--prune=now')
  assert.equal((await snapshotAt(repository, 'main')).revision, fresh)
  assert.equal(textIn(await repository.snapshot(old.revision, 'main', signal), 'a'), '1')
  const gone = '1234567890123456789012345678901234567890'
  await assert.rejects(
    repository.snapshot(gone, 'main', signal),
    failure(/not there any more/, false),
  )
})

/** Commits that change nothing, on top of what is there, with so many minutes in between. */
function lengthen(at: Bench, count: number, minutes = 1): void {
  const tip = at.git('rev-parse', 'HEAD')
  const began = Number(at.git('log', '-1', '--format=%ct'))
  const lines = Array.from({ length: count }, (_, index) => {
    const from = index === 0 ? `from ${tip}\n` : ''
    return `commit refs/heads/main\ncommitter A <a@example.org> ${began + 60 * minutes * index} +0000\ndata 1\nx\n${from}`
  })
  execFileSync('git', ['fast-import', '--quiet'], { cwd: at.work, input: lines.join('') })
  at.git('reset', '-q', '--hard', 'main')
  at.git('push', '-q', '--force', 'origin', 'HEAD')
}

for (const filters of ['true', 'false']) {
  test(`where a commit comes from is told, and what it costs has a bound (uploadpack.allowFilter ${filters})`, async () => {
    const at = bench()
    at.git('--git-dir', at.bare, 'config', 'uploadpack.allowFilter', filters)
    at.commit('one', { a: '1' })
    at.commit('two', { a: '2' })
    const repository = open(at)
    let before = (await snapshotAt(repository, 'main')).revision
    async function moved(): Promise<{ comesFrom: boolean | undefined; calls: readonly string[] }> {
      const { revision } = await snapshotAt(repository, 'main')
      at.calls()
      const comesFrom = await repository.comesFrom?.(revision, before, signal)
      before = revision
      return { comesFrom, calls: at.calls() }
    }
    function push(): void {
      at.git('push', '-q', '--force', 'origin', 'HEAD')
    }
    at.commit('a child', { a: '3' })
    assert.deepEqual(await moved(), { comesFrom: true, calls: ['cat-file'] })
    at.commit('its child', { a: '4' })
    at.commit('the child of that', { a: '5' })
    const once = ['cat-file', 'fetch', 'log']
    assert.deepEqual(await moved(), { comesFrom: true, calls: once })
    at.git('commit', '-q', '--amend', '-m', 'amended')
    push()
    assert.deepEqual(await moved(), { comesFrom: false, calls: once })
    at.git('reset', '-q', '--hard', 'HEAD~2')
    push()
    assert.deepEqual(await moved(), { comesFrom: false, calls: once })
    lengthen(at, 200)
    const further = [...once, 'fetch', 'log']
    assert.deepEqual(await moved(), { comesFrom: true, calls: further })
    at.git('commit', '-q', '--amend', '--allow-empty', '-m', 'amended again')
    push()
    // the whole history is short enough to be known
    assert.deepEqual(await moved(), { comesFrom: false, calls: further })
    lengthen(at, 2_000)
    // too far away: nothing is claimed
    assert.deepEqual(await moved(), { comesFrom: undefined, calls: further })
    lengthen(at, 100, 7 * 24 * 60)
    await moved()
    at.git('commit', '-q', '--amend', '--allow-empty', '-m', 'amended once more')
    push()
    // what is weeks older does not come from it
    assert.deepEqual(await moved(), { comesFrom: false, calls: once })
    assert.deepEqual(
      readdirSync(join(at.folder, 'cache', readdirSync(join(at.folder, 'cache'))[0]!, 'lineage')),
      ['lock'],
    )
  })
}

test('a repository that vanished or broke keeps the last good snapshot and says so', async () => {
  const at = bench()
  const id = at.commit('one', { a: '1' })
  const repository = open(at)
  await snapshotAt(repository, 'main')
  const saysKept = (error: unknown): boolean =>
    failure(/no such repository/, false)(error) &&
    error instanceof Problem &&
    error.details.includes(`The last good snapshot, ${id.slice(0, 12)}, is kept.`)
  renameSync(at.bare, `${at.bare}-gone`)
  await assert.rejects(repository.latest(['main'], signal), saysKept)
  assert.equal(textIn(await repository.snapshot(id, 'main', signal), 'a'), '1')
  renameSync(`${at.bare}-gone`, at.bare)
  const broken = at.commit('two', { a: '2' })
  for (const file of globSync(`${at.bare}/objects/**/*`)) if (statSync(file).isFile()) rmSync(file)
  await assert.rejects(repository.snapshot(broken, 'main', signal), Problem)
  assert.equal(textIn(await open(at).snapshot(id, 'main', signal), 'a'), '1')
})

test('a cache that was harmed heals: packs cut, files gone, settings broken, leftovers', async () => {
  const at = bench()
  at.commit('one', { a: '1', b: 'x' })
  const { folder } = await snapshotAt(open(at), 'main')
  const bare = join(folder, '../../objects.git')
  rmSync(join(folder, 'b'))
  assert.equal(textIn(await snapshotAt(open(at), 'main'), 'b'), 'x')
  rmSync(folder, { recursive: true })
  for (const pack of globSync(`${bare}/objects/pack/*.pack`)) truncateSync(pack, 20)
  assert.equal(textIn(await snapshotAt(open(at), 'main'), 'b'), 'x')
  at.commit('two', { a: '2' })
  for (const pack of globSync(`${bare}/objects/pack/*.idx`)) truncateSync(pack, 20)
  assert.equal(textIn(await snapshotAt(open(at), 'main'), 'a'), '2')
  at.commit('three', { a: '3' })
  rmSync(join(bare, 'refs'), { recursive: true })
  writeFileSync(join(bare, 'config'), 'no settings')
  assert.equal(textIn(await snapshotAt(open(at), 'main'), 'a'), '3')
  at.commit('four', { a: '4' })
  writeFileSync(join(bare, 'shallow.lock'), '')
  writeFileSync(join(bare, 'shallow'), 'rubbish\n')
  assert.equal(textIn(await snapshotAt(open(at), 'main'), 'a'), '4')
})

test('a file beyond the limit is left out, and using it says why', async () => {
  const at = bench()
  at.git('--git-dir', at.bare, 'config', 'uploadpack.allowFilter', 'true')
  at.commit('one', { 'a.yaml': 'small', 'big.bin': 'x'.repeat(20_000) })
  const limits = { largestFile: 10_000 }
  for (const url of [`file://${at.bare}`, at.bare]) {
    const snapshot = await snapshotAt(open(at, { url, limits }), 'main')
    assert.deepEqual(snapshot.tree.list(''), ['a.yaml'])
    assert.throws(() => snapshot.tree.read('big.bin'), failure(/big\.bin was not fetched/, false))
  }
  at.commit('two', { 'a.yaml': 'other' })
  const repository = open(at, { url: `file://${at.bare}`, limits })
  at.calls()
  assert.equal(textIn(await snapshotAt(repository, 'main'), 'a.yaml'), 'other')
  assert.equal(at.calls().filter((call) => call === 'fetch').length, 1)
})

test('too much is refused: bytes fetched, bytes unpacked, files, time', async () => {
  const at = bench()
  const noise = Array.from({ length: 400_000 }, () => String.fromCharCode(33 + Math.random() * 90))
  at.commit('one', { noise: noise.join(''), even: 'x'.repeat(3_000_000), c: '' })
  const url = `file://${at.bare}`
  const tried = async (limits: GitOptions['limits'] & {}): Promise<Snapshot> =>
    snapshotAt(
      open(at, {
        url,
        limits,
        cache: join(at.folder, `cache-${JSON.stringify(limits).length}`),
      }),
      'main',
    )
  await assert.rejects(
    tried({ mostBytes: 100_000 }),
    failure(/larger than the limit of 0 MB/, false),
  )
  await assert.rejects(tried({ mostBytes: 2_000_000 }), failure(/are 4 MB, more than 1 MB/, false))
  await assert.rejects(tried({ mostFiles: 2 }), failure(/holds 3 files, more than 2/, false))
  const slow = join(at.folder, 'slow')
  mkdirSync(slow)
  writeFileSync(join(slow, 'git'), '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 })
  const environment = { PATH: `${slow}:${process.env['PATH']}` }
  const waiting = open(at, { environment, limits: { lookTime: 50 } }).latest(['main'], signal)
  await assert.rejects(waiting, failure(/took too long/, true))
})

test('hooks and settings of the repository, the user and the machine do nothing', async () => {
  const at = bench()
  const proof = join(at.folder, 'proof')
  at.commit('one', { a: '1', '.gitattributes': 'a filter=bad text eol=crlf ident\n' })
  const bad = join(at.folder, 'gitconfig')
  writeFileSync(
    bad,
    `[filter "bad"]\n\tsmudge = touch ${proof}\n[core]\n\thooksPath = ${at.folder}/bin\n\tsshCommand = touch ${proof}\n`,
  )
  const environment = {
    ...at.environment,
    HOME: at.folder,
    GIT_CONFIG_GLOBAL: bad,
    GIT_DIR: '/nowhere',
    GIT_TRACE: proof,
  }
  const snapshot = await snapshotAt(open(at, { environment }), 'main')
  assert.equal(textIn(snapshot, 'a'), '1')
  assert.ok(!existsSync(proof))
})

test(
  'a repository of another user on this machine is read',
  { skip: process.getuid?.() !== 0 },
  async () => {
    const at = bench()
    at.commit('one', { a: '1' })
    for (const file of ['', ...globSync('**/*', { cwd: at.bare })])
      chownSync(join(at.bare, file), 12345, 12345)
    assert.equal(textIn(await snapshotAt(open(at), 'main'), 'a'), '1')
    for (const file of globSync('{.,**/*,.git/**/*}', { cwd: at.work }))
      chownSync(join(at.work, file), 12345, 12345)
    assert.equal(textIn(await snapshotAt(open(at, { url: `file://${at.work}` }), 'main'), 'a'), '1')
  },
)

test('submodules only when asked for, by relative address too', async () => {
  const at = bench()
  const part = bench()
  const id = part.commit('part', { 'part.yaml': 'p: 1\n' })
  const beside = join(at.folder, 'part.git')
  cpSync(part.bare, beside, { recursive: true })
  at.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', beside, 'parts/one')
  at.git('config', '-f', '.gitmodules', 'submodule.parts/one.url', '../part.git')
  at.commit('with a part', {})
  const without = await snapshotAt(open(at), 'main')
  assert.deepEqual(without.tree.list(''), ['.gitmodules'])
  const repository = open(at, { submodules: true })
  const withPart = await snapshotAt(repository, 'main')
  assert.equal(textIn(withPart, 'parts/one/part.yaml'), 'p: 1\n')
  assert.notEqual(withPart.revision, id)
})

test('a submodule is no repository of this machine but one beside its own; the line is told', async () => {
  const at = bench()
  const secret = bench()
  const id = secret.commit('secret', { secret: 'canary' })
  symlinkSync(secret.bare, join(at.folder, 'link.git'))
  const urls = [
    `${secret.bare}`,
    `file://${secret.bare}`,
    `../../${secret.bare.split('/').slice(-2).join('/')}`,
    '../link.git',
    '../x/../../../etc',
    'ext::sh -c id',
    '--upload-pack=id',
  ]
  for (const url of urls) {
    at.git('update-index', '--add', '--cacheinfo', `160000,${id},part`)
    writeFileSync(join(at.work, '.gitmodules'), `[submodule "p"]\n\tpath = part\n\turl = ${url}\n`)
    at.git('add', '.gitmodules')
    at.git('commit', '-q', '--allow-empty', '-m', url)
    at.git('push', '-q', '--force', 'origin', 'HEAD')
    await assert.rejects(
      snapshotAt(open(at, { submodules: true }), 'main'),
      /\.gitmodules:3: the submodule part: .*(beside|not one that can be used)/,
      url,
    )
  }
})

test('a pointer of Git LFS stays what it is', async () => {
  const at = bench()
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n'
  at.commit('one', {
    'a.bin': pointer,
    '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n',
  })
  assert.equal(textIn(await snapshotAt(open(at), 'main'), 'a.bin'), pointer)
  assert.equal(readFileSync(join(at.work, 'a.bin'), 'utf8'), pointer)
})

/** One entry of a tree object, which git itself would not write. */
function treeEntry(mode: string, name: string, id: string): Buffer {
  return Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')])
}

test('a made-up commit whose files lead out is refused whole', async () => {
  const at = bench()
  at.commit('one', { a: '1' })
  const write = (type: string, content: Buffer | string): string => {
    const words = ['hash-object', '-w', '-t', type, '--stdin', '--literally']
    const how = { cwd: at.work, input: content, encoding: 'utf8' } as const
    return execFileSync('git', words, how).trim()
  }
  const [link, file] = [write('blob', at.folder), write('blob', 'harm')]
  const inner = write('tree', treeEntry('100644', 'harm', file))
  const through = [treeEntry('120000', 'x', link), treeEntry('40000', 'x', inner)]
  for (const entries of [
    [treeEntry('100644', '..', file)],
    [treeEntry('40000', '..', inner)],
    [treeEntry('100644', '.git', file)],
    through,
  ]) {
    const tree = write('tree', Buffer.concat(entries))
    const id = at.git('commit-tree', '-m', 'harm', tree)
    at.git('push', '-q', '--force', 'origin', `${id}:refs/heads/main`)
    const words = /which leads out of it|two things of one name/
    await assert.rejects(open(at).snapshot(id, 'main', signal), failure(words, false))
    assert.deepEqual(globSync(`${at.folder}/**/harm`), [])
  }
})

test('two processes at once fetch once and read the same', async () => {
  const at = bench()
  const id = at.commit('one', { a: '1', b: '2' })
  const script = `
    import { gitRepository } from '#sources/git/repository.ts'
    const { signal } = new AbortController()
    const [url, cache, id] = process.argv.slice(1)
    const options = { url, cache, credential: undefined, submodules: false, environment: process.env }
    const { tree } = await gitRepository(options).snapshot(id, 'main', signal)
    console.log(tree.list('').join())`
  const started = [1, 2, 3].map(async () => {
    const words = ['--input-type=module', '-e', script, at.bare, join(at.folder, 'cache'), id]
    const { stdout } = await promisify(execFile)(process.execPath, words, { env: at.environment })
    return stdout.trim()
  })
  assert.deepEqual(await Promise.all(started), ['a,b', 'a,b', 'a,b'])
  assert.equal(at.calls().filter((call) => call === 'fetch').length, 1)
})

test('an abort ends the waiting', async () => {
  const at = bench()
  at.commit('one', { a: '1' })
  const control = new AbortController()
  control.abort(new Error('enough'))
  await assert.rejects(open(at).latest(['main'], control.signal), /enough/)
})
