/** `tend explain` knows every code, and says what was meant. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { codes } from '#model/problem.ts'

function tend(...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync('bin/tend', words, { encoding: 'utf8' })
  return { status, out: stdout, err: stderr }
}

test('explain: one code, all codes, a slip', () => {
  const one = tend('explain', 'volume_changed')
  assert.match(
    one.out,
    /^volume_changed: A volume can't be changed.*\n {2}Cause: .+\n {2}Cure: .+\n/,
  )
  assert.match(one.out, /ends with 1, the API answers 409/)
  assert.equal(JSON.parse(tend('explain', 'port_taken', '-o', 'json').out).exit, 1)
  const lines = tend('explain').out.trimEnd().split('\n')
  assert.equal(lines.length, Object.keys(codes).length)
  const slip = tend('explain', 'volume_changd')
  assert.equal(slip.status, 2)
  assert.match(slip.err, /did you mean volume_changed\?/)
})
