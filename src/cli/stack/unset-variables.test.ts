import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withAdvice } from './unset-variables.ts'

const warning = 'compose.yaml:5:5: The "TIME" variable is not set. Defaulting to a blank string.'

test('a variable that only the shell has: the flag that lets it in', () => {
  const [told = ''] = withAdvice([warning], { TIME: '5' })
  assert.match(told, /^compose\.yaml:5:5: the variable TIME is blank: .*; add --use-env$/)
  assert.deepEqual(withAdvice([warning, 'other'], {}), [warning, 'other'])
})
