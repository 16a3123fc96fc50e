/** Files of NAME=value lines. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEnvFile } from './env-file.ts'

const lines: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  ['A=1', [['A', '1']]],
  [
    '\uFEFFA=1\r\nB=2\r\n',
    [
      ['A', '1'],
      ['B', '2'],
    ],
  ],
  ['# a comment\n\n  A = 1  ', [['A', '1']]],
  ['export A=1', [['A', '1']]],
  ['A=', [['A', '']]],
  ['A=x=y', [['A', 'x=y']]],
  ['A=a b # why', [['A', 'a b']]],
  ['A=a#b', [['A', 'a#b']]],
  [`A='a # \\n $B' # why`, [['A', 'a # \\n $B']]],
  ['A="a\\tb\\"c\\\\d\\x" # why', [['A', 'a\tb"c\\d\\x']]],
  [
    'A="one\ntwo"\nB=3',
    [
      ['A', 'one\ntwo'],
      ['B', '3'],
    ],
  ],
]
for (const [text, entries] of lines) {
  test(JSON.stringify(text), () => assert.deepEqual(readEnvFile(text), { entries, faults: [] }))
}

test('what is no line is named by its number, and the rest is read', () => {
  assert.deepEqual(readEnvFile('A=1\nno line\nB=2\nC="open\n'), {
    entries: [
      ['A', '1'],
      ['B', '2'],
    ],
    faults: [
      { line: 2, message: 'is not NAME=value' },
      { line: 4, message: 'has a quote " that is never closed' },
    ],
  })
})
