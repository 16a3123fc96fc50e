/** The render of a stack reads the fields of a Compose file by their types: a misspelt one is an error of the compiler, not silently nothing. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

/** What an extension of our own holds has no type of the format: it is read in one file. */
const extensions = 'src/domains/stacks/render/on-change.ts'

const untyped = /from '#model\/read-json\.ts'|\bJsonRecord\b/

test('only our own extension is read without a type', () => {
  const files = globSync(['src/domains/stacks/render/render.ts', 'src/domains/stacks/render/*.ts'])
  assert.ok(files.length > 20)
  const found = files.filter(
    (file) => !file.endsWith('.test.ts') && untyped.test(readFileSync(file, 'utf8')),
  )
  assert.deepEqual(found, [extensions])
})
