/** Amounts in one form, and hints for what is none. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bytesOf, cpuQuantity, memoryQuantity } from './quantities.ts'

const memory: readonly (readonly [string, string])[] = [
  ['1024Mi', '1Gi'],
  ['512Mi', '512Mi'],
  ['1Gi', '1Gi'],
  ['1.5Gi', '1536Mi'],
  ['1073741824', '1Gi'],
  ['1G', '1G'],
  ['500M', '500M'],
  ['1000k', '1M'],
  ['1', '1'],
  ['0.5Ki', '512'],
]
for (const [written, expected] of memory) {
  test(`${written} of memory is ${expected}`, () => {
    assert.deepEqual(memoryQuantity(written), { isValid: true, text: expected })
  })
}

const hints: readonly (readonly [string, string])[] = [
  ['1Gb', 'write 1G or 1Gi'],
  ['512mb', 'write 512M or 512Mi'],
  ['1g', 'write 1G or 1Gi'],
  ['10 KB', 'write 10k or 10Ki'],
  ['much', 'write a number of bytes with a unit: 512Mi, 1Gi or 500M, 1G'],
  ['-1Gi', 'write a number of bytes with a unit: 512Mi, 1Gi or 500M, 1G'],
  ['0', 'write a number of bytes with a unit: 512Mi, 1Gi or 500M, 1G'],
  ['0.3', 'write a number of bytes with a unit: 512Mi, 1Gi or 500M, 1G'],
]
for (const [written, hint] of hints) {
  test(`${written} is no amount of memory`, () => {
    assert.deepEqual(memoryQuantity(written), { isValid: false, hint })
  })
}

test('the one form is the same amount, and its own one form', () => {
  const units = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'k', 'M', 'G', 'T']
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e9 }), fc.constantFrom(...units), (number, unit) => {
      const found = memoryQuantity(`${number}${unit}`)
      assert.ok(found.isValid)
      assert.equal(bytesOf(found.text), bytesOf(`${number}${unit}`))
      assert.deepEqual(memoryQuantity(found.text), found)
    }),
  )
})

test('processors', () => {
  const pairs = [
    ['500m', '0.5'],
    ['0.5', '0.5'],
    ['2', '2'],
    ['1500m', '1.5'],
    ['0.250', '0.25'],
  ] as const
  for (const [written, text] of pairs) {
    assert.deepEqual(cpuQuantity(written), { isValid: true, text })
  }
  for (const written of ['0', 'x', '-1', '1.5m', '1G', '']) {
    assert.equal(cpuQuantity(written).isValid, false, written)
  }
})
