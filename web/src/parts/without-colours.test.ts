import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutColours } from './without-colours.ts'

test('colours, moves, titles and links of terminals go, the text stays', () => {
  assert.equal(
    withoutColours('\u001b[31mred\u001b[0m and \u001b[1;38;5;9mbold\u001b[m'),
    'red and bold',
  )
  assert.equal(withoutColours('\u001b[2K\u001b[1Gdone'), 'done')
  assert.equal(withoutColours('\u001b]0;a title\u0007here'), 'here')
  assert.equal(
    withoutColours('\u001b]8;;https://example.org\u001b\\link\u001b]8;;\u001b\\ on'),
    'link on',
  )
  assert.equal(withoutColours('[31m is no colour'), '[31m is no colour')
})
