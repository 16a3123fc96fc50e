import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { lineCounter } from './line-counter.ts'

test('the line of an offset is the same in whatever order it is asked for', () => {
  const texts = fc.array(fc.constantFrom('\n', 'a', 'bc'), { maxLength: 30 })
  const orders = fc.array(fc.nat(40), { maxLength: 30 })
  fc.assert(
    fc.property(texts, orders, fc.nat(5), (parts, offsets, before) => {
      const text = parts.join('')
      const lineOf = lineCounter(text, before)
      for (const offset of offsets.filter((one) => one <= text.length)) {
        assert.equal(lineOf(offset), before + text.slice(0, offset).split('\n').length)
      }
    }),
  )
})
