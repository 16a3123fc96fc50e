/** Files that change in all the ways in which people and machines change them. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test, type TestContext } from 'node:test'
import { readSecret } from './read-secret.ts'
import { loadDeclarations } from '#kinds/all.ts'
import { watchDeclarations, type DeclarationsChange, type Watched } from './watch-declarations.ts'

const kinds = await loadDeclarations()

const scratch = mkdtempSync(join(tmpdir(), 'tend-declare-'))
after(() => rmSync(scratch, { recursive: true }))

let count = 0
function folder(): string {
  const path = join(scratch, String(count++))
  mkdirSync(path)
  return path
}

const text = (name: string) => `sources: {s: {directory: /x}}\napps: [{stack: ${name}}]\n`

function namesIn({ declarations }: DeclarationsChange): string {
  return declarations?.apps.map(({ application }) => application.name).join() ?? 'nothing'
}

type Followed = Watched & {
  until(fits: (news: DeclarationsChange) => boolean): Promise<DeclarationsChange>
}

function follow(context: TestContext, paths: readonly string[]): Followed {
  const waiting: {
    fits: (news: DeclarationsChange) => boolean
    done: (news: DeclarationsChange) => void
  }[] = []
  const watched = watchDeclarations(paths, {}, kinds, (news) => {
    for (const { fits, done } of waiting) if (fits(news)) done(news)
  })
  // the watcher alone keeps no process alive
  const alive = setInterval(() => undefined, 1_000)
  context.after(() => {
    clearInterval(alive)
    watched.close()
  })
  return {
    ...watched,
    until: (fits) =>
      new Promise((done) => {
        if (fits(watched.current())) done(watched.current())
        else waiting.push({ fits, done })
      }),
  }
}

test('a file that is written anew, and one that is renamed over it', async (context) => {
  const path = join(folder(), 'tend.yaml')
  writeFileSync(path, text('a'))
  const watched = follow(context, [path])
  assert.equal(namesIn(watched.current()), 'a')
  writeFileSync(path, text('b'))
  await watched.until((news) => namesIn(news) === 'b')
  writeFileSync(`${path}.new`, text('c'))
  renameSync(`${path}.new`, path)
  await watched.until((news) => namesIn(news) === 'c')
  writeFileSync(path, text('d'))
  await watched.until((news) => namesIn(news) === 'd')
})

test('a bad edit keeps the last good ones and tells its problems; mending it goes on', async (context) => {
  const path = join(folder(), 'tend.yaml')
  writeFileSync(path, text('a'))
  const watched = follow(context, [path])
  writeFileSync(path, 'apps: [{stack: b}\n')
  const bad = await watched.until(({ problems }) => problems.length > 0)
  assert.equal(namesIn(bad), 'a')
  assert.equal(bad.problems[0]?.at?.file, path)
  rmSync(path)
  const gone = await watched.until(({ problems }) => problems[0]?.code === 'not_found')
  assert.equal(namesIn(gone), 'a')
  writeFileSync(path, text('c'))
  const good = await watched.until((news) => namesIn(news) === 'c')
  assert.deepEqual(good.problems, [])
})

test('a folder of files, to which one is added', async (context) => {
  const path = folder()
  writeFileSync(join(path, 'a.yaml'), text('a'))
  const watched = follow(context, [path])
  writeFileSync(join(path, 'b.yml'), 'apps: [{stack: b, source: s}]\n')
  await watched.until((news) => namesIn(news) === 'a,b')
  rmSync(join(path, 'b.yml'))
  await watched.until((news) => namesIn(news) === 'a')
})

test('a folder whose content is swapped by a link, as orchestrators mount settings', async (context) => {
  const path = folder()
  for (const [version, name] of [
    ['v1', 'a'],
    ['v2', 'b'],
  ] as const) {
    mkdirSync(join(path, `..${version}`))
    writeFileSync(join(path, `..${version}`, 'tend.yaml'), text(name))
  }
  symlinkSync('..v1', join(path, '..data'))
  symlinkSync('..data/tend.yaml', join(path, 'tend.yaml'))
  for (const paths of [[path], [join(path, 'tend.yaml')]]) {
    const watched = follow(context, paths)
    const [now, next] = namesIn(watched.current()) === 'a' ? ['a', 'b'] : ['b', 'a']
    assert.equal(namesIn(watched.current()), now)
    symlinkSync(next === 'b' ? '..v2' : '..v1', join(path, '..tmp'))
    renameSync(join(path, '..tmp'), join(path, '..data'))
    await watched.until((news) => namesIn(news) === next)
  }
})

test('told to, it reads at once and tells in any case', () => {
  const path = join(folder(), 'tend.yaml')
  writeFileSync(path, text('a'))
  const told: string[] = []
  const watched = watchDeclarations([path], {}, kinds, (news) => told.push(namesIn(news)))
  writeFileSync(path, text('b'))
  assert.equal(namesIn(watched.reload()), 'b')
  watched.reload()
  watched.close()
  assert.deepEqual(told, ['b', 'b'])
})

test('what was never good has problems and no declarations', () => {
  const watched = watchDeclarations([join(scratch, 'nowhere.yaml')], {}, kinds, () => undefined)
  watched.close()
  assert.equal(watched.current().declarations, undefined)
  assert.match(watched.current().problems[0]?.message ?? '', /there is no .*nowhere.yaml/)
})

test('a secret is read when it is needed, and its absence tells its place and not its content', async () => {
  const path = join(folder(), 'token')
  writeFileSync(path, 'one\n')
  assert.equal(await readSecret({ file: path }, {}), 'one')
  writeFileSync(path, 'two\n')
  assert.equal(await readSecret({ file: path }, {}), 'two')
  assert.equal(await readSecret({ variable: 'T' }, { T: 'x' }), 'x')
  await assert.rejects(readSecret({ variable: 'T' }, {}), /the variable T is not set/)
  await assert.rejects(readSecret({ file: `${path}x` }, {}), /can't be read/)
})
