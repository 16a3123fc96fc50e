import assert from 'node:assert/strict'
import { test } from 'node:test'
import { massRemovalReason } from './mass-removal.ts'

test('what goes all at once went by mistake; what goes one by one did not', () => {
  assert.equal(massRemovalReason({ before: 200, lost: 3, isWhole: true }), undefined)
  assert.equal(massRemovalReason({ before: 1, lost: 1, isWhole: true }), undefined)
  assert.equal(massRemovalReason({ before: 9, lost: 8, isWhole: true }), undefined)
  assert.match(
    massRemovalReason({ before: 2, lost: 2, isWhole: true }) ?? '',
    /suddenly holds none of 2/,
  )
  assert.match(
    massRemovalReason({ before: 19, lost: 10, isWhole: true }) ?? '',
    /10 of 19 .* at once/,
  )
  assert.equal(massRemovalReason({ before: 20, lost: 10, isWhole: true }), undefined)
  assert.match(massRemovalReason({ before: 20, lost: 1, isWhole: false }) ?? '', /not everything/)
  assert.equal(massRemovalReason({ before: 20, lost: 0, isWhole: false }), undefined)
})
