import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linesOf } from './json-lines.ts'

async function read(text: string, length: number): Promise<readonly unknown[]> {
  const bytes = new TextEncoder().encode(text)
  async function* parts(): AsyncIterable<Uint8Array> {
    for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
  }
  const found: unknown[] = []
  for await (const line of linesOf(parts())) found.push(line)
  return found
}

test('lines are the same, however they are cut', async () => {
  const lines = [{ a: '€', b: 1 }, {}, { c: 'x'.repeat(3_000) }, { d: ['\n', '"'] }]
  const texts = lines.map((line) => JSON.stringify(line))
  for (const text of [texts.join('\n'), `${texts.join('\r\n')}\n`, `\n${texts.join('\n\n')}\n\n`]) {
    for (const length of [1, 2, 7, 1_000, 1_000_000]) {
      assert.deepEqual(await read(text, length), lines)
    }
  }
})

test('a line of 20 MB that comes in many parts is read once', async () => {
  const long = { labels: 'x'.repeat(20_000_000) }
  const began = performance.now()
  const [found] = await read(`${JSON.stringify(long)}\n`, 1_000)
  const took = performance.now() - began
  assert.deepEqual(found, long)
  // looking at all that came before with each part would take about 200 s
  assert.ok(took < 10_000, `${took} ms`)
})
