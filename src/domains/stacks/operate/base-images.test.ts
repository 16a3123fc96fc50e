import assert from 'node:assert/strict'
import { test } from 'node:test'
import { baseImages } from './base-images.ts'

test('every stage, however it is written, and nothing else', () => {
  const text = `# FROM comment
FROM one AS base
  from --platform=linux/amd64 registry.example/two:1\r
FROM\t--platform=x --foo=y three@sha256:abc AS last
RUN echo FROM four
FROMAGE five
`
  assert.deepEqual(baseImages(text), ['one', 'registry.example/two:1', 'three@sha256:abc'])
})

test('a hundred thousand empty lines are no trouble', () => {
  assert.deepEqual(baseImages(`FROM x\n${'\n'.repeat(100_000)}FROM y`), ['x', 'y'])
})
