import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passedOver, withAdvice } from './unset-variables.ts'

const warning = 'compose.yaml:5:5: The "TIME" variable is not set. Defaulting to a blank string.'

test('a variable that only the shell has: the flag that lets it in', () => {
  const [told = ''] = withAdvice([warning], { TIME: '5' })
  assert.match(told, /^compose\.yaml:5:5: the variable TIME is blank: .*; add --use-env$/)
  assert.deepEqual(withAdvice([warning, 'other'], {}), [warning, 'other'])
})

test('a default that stood in for a variable that only the shell has is told too', () => {
  const told = passedOver(['PORT', 'TIME', 'ZONE'], [warning], { TIME: '5', PORT: '80' })
  assert.equal(told.length, 1)
  assert.match(told[0] ?? '', /^the variable PORT is not used: .*; add --use-env$/)
})
