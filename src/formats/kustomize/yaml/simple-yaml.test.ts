import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { KustomizeError } from '../error.ts'
import { parseFully } from './parse.ts'
import { resolve } from './scalar.ts'
import { readSimply } from './simple-yaml.ts'

const indent = fc.constantFrom('', '  ', '    ')
const start = fc.constantFrom('a: ', 'b:', '- ', '- c: ', '"d": ', "'e': ", 'f:', '#', '5: ')
const rest = fc.constantFrom(
  '',
  'x',
  'x # note',
  '"q"',
  "'s'",
  '|',
  '|-',
  '|+',
  '[]',
  '{}',
  '5',
  '~',
  'x: y',
  '- z',
  '&a',
  '> ',
)
const line = fc.tuple(indent, start, rest).map((parts) => parts.join(''))
const text = fc.array(fc.oneof(line, fc.constantFrom('', '---', '  word', '    word')), {
  maxLength: 9,
})

test('what the quick reader reads, it reads as the full one does', () => {
  let read = 0
  fc.assert(
    fc.property(text, fc.boolean(), (lines, isCut) => {
      const whole = lines.join('\n') + (isCut ? '' : '\n')
      const quick = readSimply(whole, resolve, 0)
      if (quick === undefined) return
      read++
      assert.deepEqual(quick, full(whole))
    }),
    { numRuns: 3000 },
  )
  assert.ok(read > 50, `only ${read} texts were simple`)
})

function full(whole: string): unknown {
  try {
    return parseFully(whole, 'f', 'new', 0)
  } catch (error) {
    assert.ok(error instanceof KustomizeError)
    return error.message
  }
}
