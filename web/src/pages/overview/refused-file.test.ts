/** What the service tells of a refused edit is said on the first page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusedEdit } from '#controller/declare/refused-edit.ts'
import { isDeclarations, refusedFile } from './refused-file.ts'

const at = { file: '/etc/tend/tend.yaml', line: 3, column: 5 }
const problem = { type: 'configuration', code: 'bad_value', message: 'unknown field', at } as const

test('a refused edit says the file, the line and why, until it is mended', () => {
  const refused = refusedEdit(['/etc/tend/tend.yaml'], [problem], 1)
  assert.equal(
    refusedFile(refused),
    'tend.yaml was not taken over: /etc/tend/tend.yaml:3:5: unknown field',
  )
  const mended = refusedEdit(['/etc/tend/tend.yaml'], [], 2)
  assert.equal(refusedFile(mended), undefined)
  assert.ok(isDeclarations(refused) && isDeclarations(mended))
})

test('a repository that fails is something else', () => {
  const { message } = problem
  assert.equal(
    refusedFile({ refType: 'branch', state: 'failed', problem: { ...problem, message } }),
    undefined,
  )
})
