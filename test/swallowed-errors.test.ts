/** No error of the product vanishes without a word on why: a bare `catch` says it, or throws something that says more. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const isComment = (line: string): boolean =>
  /^\s*(\/\/|\*|\/\*)/.test(line) || line.includes(' // ')

/** The lines, counted from one, of `text` on which an error is dropped and nobody says why. */
function silentIn(text: string): readonly number[] {
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    const next = lines[index + 1] ?? ''
    if (/\bcatch \{$/.test(line)) {
      const isTold = isComment(next) || /^\s*(throw |return (fail\(|\{ fault:))/.test(next)
      return isTold ? [] : [index + 1]
    }
    if (!/\.catch\(\(\) => (undefined|''|\[\]|\{\}|\(\{\}\)|false|null|void|new Map)/.test(line))
      return []
    // the reason stands above the statement, which may have begun a few lines earlier
    const isTold = lines.slice(Math.max(0, index - 4), index + 1).some(isComment)
    return isTold ? [] : [index + 1]
  })
}

test('a dropped error without a reason is found', () => {
  assert.deepEqual(silentIn('try {\n} catch {\n  return 1\n}'), [2])
  assert.deepEqual(silentIn('try {\n} catch {\n  // it has ended\n  return 1\n}'), [])
  assert.deepEqual(silentIn("try {\n} catch {\n  throw new Error('no')\n}"), [])
  assert.deepEqual(silentIn('await a().catch(() => undefined)'), [1])
  assert.deepEqual(silentIn('// it may be gone\nawait a().catch(() => undefined)'), [])
})

test('the product drops none without saying why', () => {
  const files = globSync('{src,web/src}/**/*.{ts,tsx}').filter(
    (file) => !/\.test\.tsx?$/.test(file),
  )
  const found = files.flatMap((file) =>
    silentIn(readFileSync(file, 'utf8')).map((line) => `${file}:${line}`),
  )
  assert.ok(files.length > 1000)
  assert.deepEqual(found, [])
})
