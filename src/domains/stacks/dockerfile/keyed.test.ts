/** The line that keeps layers of builds apart. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyedDockerfile } from './keyed.ts'

test('every stage begins with it, and nothing else changes', () => {
  const text =
    '# syntax=x\nARG A=1\nFROM a:${A} AS one\nRUN x \\\n  y\n\nfrom b\nCOPY --from=one / /'
  assert.equal(
    keyedDockerfile(text, 'k'),
    '# syntax=x\nARG A=1\nFROM a:${A} AS one\nLABEL tend/cache=k\nRUN x \\\n  y\n\nfrom b\nLABEL tend/cache=k\nCOPY --from=one / /',
  )
  assert.equal(keyedDockerfile('FROM a', 'k'), 'FROM a\nLABEL tend/cache=k')
})

test('where a FROM may be something else, or something else a FROM, there is none', () => {
  for (const text of [
    'FROM a \\\n  AS b\nRUN x',
    'FROM a\nRUN <<EOF\nFROM b\nEOF',
    'FROM a\nRUN echo \\\\\nFROM b',
    'FR\\\nOM a\nRUN x',
    '# escape=`\nFROM a\nRUN x `\nFROM b',
    'RUN nothing',
  ]) {
    assert.equal(keyedDockerfile(text, 'k'), undefined, text)
  }
})
