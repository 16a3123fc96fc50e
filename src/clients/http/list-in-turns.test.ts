import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonFrom } from './body.ts'

function read(text: string, length: number): Promise<unknown> {
  const bytes = new TextEncoder().encode(text)
  async function* parts(): AsyncIterable<Uint8Array> {
    for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
  }
  return jsonFrom({ body: parts() })
}

const long = 'x\\"{[,]}:€'.repeat(40_000)

test('a list is the same, however it is cut', async () => {
  const lists: readonly (readonly unknown[])[] = [
    [],
    [[]],
    ['\\', '"', ',', ']'],
    [{ a: [1, { b: '],[' }] }, null, -1.5],
    Array.from({ length: 30_000 }, (_, at) => ({ Id: at, Labels: { 'a,b': '"]' } })),
    [{ Labels: { long } }, 1, [long, { long }], {}],
  ]
  for (const list of lists) {
    for (const text of [JSON.stringify(list), `${JSON.stringify(list, null, ' ')}\n`]) {
      const lengths = text.length > 1_000 ? [1_000, 65_536, 10_000_000] : [1, 2, 3, 1_000]
      for (const length of lengths) assert.deepEqual(await read(text, length), list)
    }
  }
})

test('a list that breaks off, or is none, is no list', async () => {
  await assert.rejects(read('[1, 2', 3), /the list has no end/)
  await assert.rejects(read('[1 2]', 3), SyntaxError)
  await assert.rejects(read('[{"a":1},}]', 3), SyntaxError)
})

test('what is no list is read as a whole', async () => {
  assert.equal(await read('', 1), null)
  assert.equal(await read('OK', 1), 'OK')
  assert.deepEqual(await read('{"a":[1]}', 2), { a: [1] })
})
