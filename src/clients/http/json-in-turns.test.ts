import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { parsedInTurns } from './json-in-turns.ts'

function parsed(text: string): Promise<unknown> {
  return parsedInTurns(Buffer.from(text))
}

const long = 'x\\"{[,]}:\u20ac'.repeat(40_000)

const values: readonly unknown[] = [
  [],
  {},
  'OK',
  [1, -2.5e3, true, null, 'a"b\\', '\\'],
  [long, [long, { a: long, [long]: [long] }], '', {}, []],
  {
    a: 1,
    b: { c: long, d: [[long], 2], __proto__: long },
    e: Array.from({ length: 90_000 }, (_, at) => at),
  },
  Array.from({ length: 3_000 }, (_, at) => ({
    Id: `${at}`,
    Labels: { [`key ${at}`]: 'v'.repeat(at) },
  })),
  Object.fromEntries(
    Array.from({ length: 60_000 }, (_, at) => [`key ${at}`, { at, texts: ['"', ',', '}'] }]),
  ),
  [[[[[[long]]]]]],
]

test('what is read in turns is what JSON.parse gives', async () => {
  for (const value of values) {
    const [plain, spaced] = [JSON.stringify(value), `\n ${JSON.stringify(value, null, '\t ')}\r\n`]
    for (const text of [plain, spaced]) {
      assert.deepEqual(await parsed(text), JSON.parse(text))
    }
  }
})

test('a key that is called __proto__ is a key', async () => {
  const text = `{"__proto__":{"a":1},"b":"${'x'.repeat(300_000)}"}`
  const found = await parsed(text)
  assert.deepEqual(found, JSON.parse(text))
  assert.equal(Object.getPrototypeOf(found), Object.prototype)
})

test('what is no JSON is refused, however long', async () => {
  const wrong = ['{"a":1', '[1,,2]', '["a]', '{"a" 1}', '[1}', '{]', '', '[1]]', '{"a":"b",}']
  for (const text of wrong) {
    await assert.rejects(parsed(text), SyntaxError, text)
    const padding = `"${'x'.repeat(200_000)}"`
    const padded = text.replace(/^\[/, `[${padding},`).replace(/^\{/, `{"p":${padding},`)
    await assert.rejects(parsed(padded), SyntaxError, text)
  }
})

test('others go on while a list of 100 MB is read', async () => {
  const labels = Object.fromEntries(
    Array.from({ length: 15 }, (_, at) => [`l${at}`, 'x'.repeat(61_000)]),
  )
  const text = JSON.stringify(Array.from({ length: 110 }, (_, at) => ({ Id: at, Labels: labels })))
  const bytes = Buffer.from(text)
  let [isOver, turns] = [false, 0]
  const others = (async () => {
    for (; !isOver; turns += 1) await setImmediate()
  })()
  await parsedInTurns(bytes)
  isOver = true
  await others
  // without pauses it would be one
  assert.ok(turns > 5, `others had ${turns} turns`)
})
