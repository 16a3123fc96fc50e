import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonFrom } from './body.ts'
import { listReader } from './list-in-turns.ts'

async function* partsOf(text: string, length: number): AsyncIterable<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

async function read(text: string, length: number): Promise<unknown> {
  const reader = listReader()
  for await (const part of partsOf(text, length)) await reader.read(part)
  return reader.items()
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

test('an answer is read as what it is, long or not', async () => {
  const answered = (text: string, length: number) => jsonFrom({ body: partsOf(text, length) })
  assert.equal(await answered('', 1), null)
  assert.equal(await answered('OK', 1), 'OK')
  assert.equal(await answered('[1, 2', 3), '[1, 2')
  for (const value of [{ a: [1] }, [1, [2]], { a: [long, long, long, long, long, long] }]) {
    assert.deepEqual(await answered(JSON.stringify(value), 65_536), value)
  }
  const lists = Array.from({ length: 8 }, (_, at) => ({ Id: at, Labels: { long } }))
  assert.deepEqual(await answered(JSON.stringify(lists), 65_536), lists)
  await assert.rejects(answered(JSON.stringify(lists).slice(0, -1), 65_536), /no end/)
})
