/** The same repository, however its address is written, is the same source; what is noted of it stays. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { knownSources, sourceName } from './application-source.ts'

function git(url: string): string {
  return sourceName({ kind: 'git', url, ref: 'main', credential: undefined, submodules: false })
}

test('one name for each way to write it, and another one for another place', () => {
  const same = [
    'https://Git.Example/team/shop.git',
    'http://git.example:80/team/shop/',
    'ssh://git@git.example:22/team/shop',
    'ssh://deploy:secret@git.example/team/shop.git',
    'git@git.example:team/shop.git',
    'https://git.example/team/shop?token=secret#x',
  ]
  assert.deepEqual([...new Set(same.map(git))], ['git.example/team/shop'])
  assert.equal(git('https://git.example:8443/team/shop'), 'git.example:8443/team/shop')
  assert.equal(git('https://git.example/team/Shop'), 'git.example/team/Shop')
  assert.equal(git('/srv/git/shop.git'), '/srv/git/shop')
  assert.equal(git('file:///srv/git/shop'), '/srv/git/shop')
  assert.equal(sourceName({ kind: 'directory', path: '/srv/shop' }), '/srv/shop')
})

test('what was noted is there for the next one who asks, and files count but for copies of Compose files', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tend-sources-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const known = knownSources(folder)
  assert.equal(known.of('stack:shop'), undefined)
  known.note('stack:shop', 'git.example/shop')
  assert.equal(knownSources(folder).of('stack:shop'), 'git.example/shop')
  assert.equal(known.hasFiles('stack:shop'), false)
  mkdirSync(join(folder, 'app-stack-shop/.source'), { recursive: true })
  assert.equal(known.hasFiles('stack:shop'), false)
  writeFileSync(join(folder, 'app-stack-shop/data'), '')
  assert.equal(known.hasFiles('stack:shop'), true)
})
