/** The architecture page names files that are there, and each of its walks is short enough to be gone. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
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

test('every path below a room that the page names is there', () => {
  const rooms = 'model|formats|engine|clients|sources|domains|store|kinds|controller|server|cli'
  const named = [...page.matchAll(new RegExp(`\`(?:src/)?((?:${rooms})/[\\w./-]+\\.ts)\``, 'g'))]
  const missing = named.flatMap(([, path = '']) => (existsSync(`src/${path}`) ? [] : [path]))
  assert.deepEqual(missing, [])
})
