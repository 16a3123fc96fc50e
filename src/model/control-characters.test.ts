/** Nothing that a terminal would obey is left, and everything else is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { escapeControls, removeControls } from './control-characters.ts'

test('C0, DEL, C1 and changes of direction go; tabs, line feeds, letters and emoji stay', () => {
  const bad: number[] = [0x7f, 0x61c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202e, 0x2066, 0x2069]
  for (let code = 0; code < 0x20; code += 1) if (code !== 9 && code !== 10) bad.push(code)
  for (let code = 0x80; code < 0xa0; code += 1) bad.push(code)
  for (const code of bad) {
    const text = `a${String.fromCharCode(code)}b`
    assert.equal(removeControls(text), 'ab')
    assert.equal(escapeControls(text), `a\\u${code.toString(16).padStart(4, '0')}b`)
    assert.equal(JSON.parse(escapeControls(JSON.stringify(text))), text, 'JSON says the same')
  }
  const good = 'Grüße\tan\nalle 👩‍💻 – שלום, „世界“'
  assert.equal(escapeControls(good), good)
  assert.equal(removeControls(good), good)
})
