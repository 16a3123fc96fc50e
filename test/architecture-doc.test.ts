/** The architecture page names files that are there, and each of its walks is short enough to be gone. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const page = readFileSync('docs/architecture.md', 'utf8')
const walks = page.slice(page.indexOf('\n## Walks'), page.indexOf('\n## How to add a kind'))

test('every file of a walk is there, and a walk has at most fifteen', () => {
  const sections = walks.split('\n### ').slice(1)
  assert.equal(sections.length, 4)
  for (const section of sections) {
    const files = [...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file = '']) => file)
    assert.ok(files.length > 5 && files.length <= 15, section.split('\n')[0])
    assert.deepEqual(
      files.filter((file) => !existsSync(file)),
      [],
    )
  }
})

test('every file and folder that the page names is there', () => {
  const files = globSync(['src', 'web/src', 'test', 'release', 'bench'].map((top) => `${top}/**/*`))
  const tops = [
    'README.md',
    'web/build.ts',
    'web/shots.ts',
    'bench',
    'demo',
    'web',
    'release',
    'src',
  ]
  const all = [...files, ...tops].map((path) => `/${path}`)
  const quoted = [...page.matchAll(/`([\w./-]+)`/g)].map(([, text = '']) => text)
  const named = quoted.filter((text) => /\w\.(tsx?|css|go)$/.test(text) || /^\w.*\w\/$/.test(text))
  const missing = named.filter((text) => {
    const path = `/${text.replace(/\/$/, '')}`
    return !all.some((known) => known.endsWith(path))
  })
  assert.ok(named.length > 150)
  assert.deepEqual(missing, [])
})
