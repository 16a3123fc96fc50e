/** The context of a build: what goes in, what stays out, and where that is worked out. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { renderPool } from '#controller/render/render-pool.ts'
import { textOf } from '#model/read-json.ts'
import { realOf } from '#domains/containers/confinement.ts'
import type { ContextTask } from '../stack-task.ts'
import type { ListContext } from '../context-files.ts'
import { contextOf } from './context.ts'

function folderWith(t: TestContext, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'tend-context-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

async function namesIn(tar: AsyncIterable<Uint8Array>): Promise<readonly string[]> {
  const parts: Uint8Array[] = []
  for await (const part of tar) parts.push(part)
  const whole = Buffer.concat(parts)
  const names: string[] = []
  for (let at = 0; at < whole.length && whole[at] !== 0;) {
    const field = (start: number, length: number): string =>
      whole.toString('latin1', at + start, at + start + length).replace(/\0.*$/s, '')
    names.push(field(0, 100))
    at += 512 + Math.ceil(Number.parseInt(field(124, 12), 8) / 512) * 512
  }
  return names
}

test('rules leave out, take back and never touch what the engine needs; links are not entered', async (t) => {
  const folder = folderWith(t, {
    Dockerfile: 'FROM x',
    '.dockerignore': '*\n!src\nsrc/*.log\n',
    'src/a.ts': '',
    'src/deep/b.ts': '',
    'src/x.log': '',
    'lib/c.ts': '',
  })
  symlinkSync('/etc', join(folder, 'src/link'))
  const { tar, dockerfile } = await contextOf(folder, {})
  assert.equal(dockerfile, 'Dockerfile')
  const names = '.dockerignore Dockerfile src/ src/a.ts src/deep/ src/deep/b.ts src/link'
  assert.deepEqual(await namesIn(tar), names.split(' '))
})

test('a folder that became a link after it was listed is not entered', async (t) => {
  const folder = folderWith(t, { Dockerfile: 'FROM x', 'sub/passwd': '' })
  const { tar } = await contextOf(folder, {})
  rmSync(join(folder, 'sub'), { recursive: true })
  symlinkSync('/etc', join(folder, 'sub'))
  await assert.rejects(namesIn(tar), /ENOTDIR|ELOOP/)
})

test('a Dockerfile that is too large is not read', async (t) => {
  const folder = folderWith(t, { Dockerfile: `${'#'.repeat(1024 * 1024)}\nFROM x` })
  await assert.rejects(contextOf(folder, {}), /Dockerfile has 1048583 bytes, more than/)
})

test('of an application that is followed rules are compiled and matched elsewhere', async (t) => {
  const rules = Array.from({ length: 30_000 }, (_, index) => `*a*${index}*b\n`).join('')
  const files = Array.from({ length: 200 }, (_, index) => [`src/f${index}`, ''])
  const folder = folderWith(t, {
    Dockerfile: 'FROM x',
    '.dockerignore': rules,
    ...Object.fromEntries(files),
  })
  const pool = renderPool()
  t.after(() => pool.stop())
  const list: ListContext = async (asked) => {
    const task: ContextTask = { kind: 'stack', name: 'context', ...asked }
    return textOf(await pool.for('hostile').perform(task, 60_000))
  }
  const before = process.threadCpuUsage()
  const { tar } = await contextOf(folder, {}, { list })
  const { user } = process.threadCpuUsage(before)
  // here it takes some three seconds
  assert.ok(user < 1e6, `the main thread worked for ${user / 1000} ms`)
  assert.equal((await namesIn(tar)).length, files.length + 3)
})

/** Names and contents of plain files. */
async function contentsIn(
  tar: AsyncIterable<Uint8Array>,
): Promise<Readonly<Record<string, string>>> {
  const parts: Uint8Array[] = []
  for await (const part of tar) parts.push(part)
  const whole = Buffer.concat(parts)
  const found: Record<string, string> = {}
  for (let at = 0; at < whole.length && whole[at] !== 0;) {
    const field = (start: number, length: number): string =>
      whole.toString('latin1', at + start, at + start + length).replace(/\0.*$/s, '')
    const size = Number.parseInt(field(124, 12), 8)
    found[field(0, 100)] =
      field(156, 1) === '0' ? whole.toString('utf8', at + 512, at + 512 + size) : ''
    at += 512 + Math.ceil(size / 512) * 512
  }
  return found
}

test('what is sent in place of the Dockerfile has a name of its own and gets into no image', async (t) => {
  const sent = () => ({ dockerfile: 'FROM y\n', files: [] })
  const folder = folderWith(t, {
    Dockerfile: 'FROM x',
    'rules/own': 'a\n!b',
    '.tend.Dockerfile': '',
  })
  const plain = await contextOf(folder, {}, { sent })
  assert.match(plain.dockerfile, /^\.tend-[0-9a-f]{24}\.Dockerfile$/)
  const without = await contentsIn(plain.tar)
  assert.equal(without[plain.dockerfile], 'FROM y\n')
  assert.equal(without['.dockerignore'], `.dockerignore\n${plain.dockerfile}\n`)
  // an engine would follow them to files of its host
  symlinkSync('rules/own', join(folder, '.containerignore'))
  symlinkSync('rules/own', join(folder, '.dockerignore'))
  const { tar, dockerfile } = await contextOf(folder, {}, { sent })
  const files = await contentsIn(tar)
  assert.equal(files['.dockerignore'], `a\n!b\n${dockerfile}\n`)
  assert.equal(files['.containerignore'], `a\n!b\n${dockerfile}\n`)
  assert.notEqual(dockerfile, plain.dockerfile)
  const withFile = (text: string, added: string) => ({
    dockerfile: text,
    files: [{ path: `${added}/0/E`, content: 'x' }],
  })
  const last = await contextOf(folder, {}, { sent: withFile })
  const more = last.dockerfile.replace('.Dockerfile', '')
  const all = await contentsIn(last.tar)
  assert.equal(all[`${more}/0/E`], 'x')
  assert.equal(all['.dockerignore'], `a\n!b\n${last.dockerfile}\n!${more}\n!${more}/**\n`)
})

/** Where containers may write a container may act between a look at a path and its use. */
for (const name of ['Dockerfile', '.dockerignore', '.containerignore', '.'] as const) {
  test(`a link that comes in the place of ${name} after it was looked at is not followed`, async (t) => {
    const host = folderWith(t, {
      'sub/Dockerfile': 'FROM secret',
      'sub/.dockerignore': 'secret',
      'sub/.containerignore': 'secret',
      'sub/passwd': 'secret',
    })
    const folder = folderWith(t, {
      'sub/Dockerfile': 'FROM x',
      'sub/.dockerignore': '',
      'sub/.containerignore': '',
      'sub/passwd': 'own',
    })
    const path = join(folder, 'sub', name)
    let isSwapped = false
    function resolve(asked: string): string {
      const real = realOf(asked)
      if (join(asked) === join(path) && !isSwapped) {
        isSwapped = true
        renameSync(real, join(folder, 'aside'))
        symlinkSync(join(host, 'sub', name), real)
      }
      return real
    }
    const sent = (text: string) => ({ dockerfile: text, files: [] })
    await assert.rejects(async () => {
      const { tar } = await contextOf(join(folder, 'sub'), {}, { resolve, sent })
      assert.doesNotMatch(JSON.stringify(await contentsIn(tar)), /secret/)
    }, /came in its place|no such file|leads to/)
  })
}

test('a pipe in a context is never waited for, and a file of any size is sent in pieces', async (t) => {
  const folder = folderWith(t, { Dockerfile: 'FROM x', large: '' })
  const sent = (text: string) => ({ dockerfile: text, files: [] })
  execFileSync('truncate', ['-s', '2100M', join(folder, 'large')])
  execFileSync('mkfifo', [join(folder, 'pipe')])
  const { tar } = await contextOf(folder, { dockerfile: 'Dockerfile' }, { sent })
  let [bytes, largest] = [0, 0]
  for await (const part of tar) {
    bytes += part.length
    largest = Math.max(largest, part.length)
  }
  assert.ok(bytes > 2100 * 1024 ** 2 && largest <= 1024 ** 2, `${bytes} in pieces of ${largest}`)
  for (const name of ['.dockerignore', '.containerignore', 'Dockerfile']) {
    rmSync(join(folder, name), { force: true })
    execFileSync('mkfifo', [join(folder, name)])
    await assert.rejects(contextOf(folder, {}, { resolve: realOf, sent }), /came in its place/)
    rmSync(join(folder, name))
    writeFileSync(join(folder, name), '')
  }
})

test('nothing is sent below a link, when a container exchanges one for a folder meanwhile', async (t) => {
  const aside = folderWith(t, {})
  const folder = folderWith(t, { Dockerfile: 'FROM x', 'sub/planted': 'x' })
  function exchange(old: string, next: string): void {
    renameSync(join(folder, 'sub'), join(aside, old))
    renameSync(join(aside, next), join(folder, 'sub'))
  }
  symlinkSync(aside, join(aside, 'link'))
  const { tar } = await contextOf(folder, {})
  // it was listed as a folder
  exchange('folder', 'link')
  await assert.rejects(async () => {
    for await (const part of tar) {
      const isLink = Buffer.from(part).toString('latin1', 156, 157) === '2'
      if (isLink && part.length === 512) exchange('link', 'folder')
    }
  }, /came in its place/)
})
