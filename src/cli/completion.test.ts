import assert from 'node:assert/strict'
import { test } from 'node:test'
import { candidatesFor } from './completion.ts'

function candidates(line: string): readonly string[] {
  const { words, files } = candidatesFor(line.split(' '), ['shop', 'blog'], ['CutePod'])
  return [...words, ...(files ? [':files'] : [])]
}

test('verbs, flags of the verb, values of flags, names, files', () => {
  assert.deepEqual(candidates('un'), ['uninstall'])
  assert.deepEqual(candidates('list --'), [
    '--target',
    '--namespace',
    '--output',
    '--verbose',
    '--no-color',
    '--help',
  ])
  assert.deepEqual(candidates('install x --dry'), ['--dry-run'])
  assert.deepEqual(candidates('status -o j'), ['json'])
  assert.deepEqual(candidates('status s'), ['shop', ':files'])
  assert.deepEqual(candidates('upgrade '), ['shop', 'blog', ':files'])
  assert.deepEqual(candidates('install . -f '), [':files'])
  assert.deepEqual(candidates('install . --timeout '), [])
  assert.deepEqual(candidates('completion f'), ['fish'])
  assert.deepEqual(candidates('get s'), ['stacks', 'sources'])
  assert.deepEqual(candidates('get stacks s'), ['shop'])
  assert.deepEqual(candidates('token r'), ['revoke'])
  assert.deepEqual(candidates('schema '), ['CutePod'])
  assert.deepEqual(candidates('-n staging watch b'), ['blog'])
  assert.deepEqual(candidates('fleet rm '), ['shop', 'blog'])
  assert.deepEqual(candidates('fleet add '), [])
  assert.deepEqual(candidates('fleet add x --provider k'), ['kind', 'k3d', 'kwok'])
})
