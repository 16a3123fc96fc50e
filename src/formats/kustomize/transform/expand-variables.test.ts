import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { expandVariables } from './expand-variables.ts'
import { KustomizeError } from '../error.ts'

const values = new Map([
  ['name', 'web.example.com'],
  ['word', 'Straße'],
  ['empty', ''],
  ['path', 'a/b/c'],
])

function expanded(text: string): string {
  return expandVariables(text, (name) => values.get(name))
}

const examples: readonly (readonly [string, string])[] = [
  ['plain text', 'plain text'],
  ['${name}', 'web.example.com'],
  ['a ${name} b ${path}', 'a web.example.com b a/b/c'],
  ['$name and $(name)', '$name and $(name)'],
  ['$${name}', '${name}'],
  ['cost: 5$$', 'cost: 5$'],
  ['${#name}', '15'],
  ['${name:4:-4}', 'example'],
  ['${path:1:-9}', ''],
  ['${#word}', '7'],
  ['${name^}', 'Web.example.com'],
  ['${name^^}', 'WEB.EXAMPLE.COM'],
  ['${word,}', 'straße'],
  ['${word,,}', 'straße'],
  ['${name:4}', 'example.com'],
  ['${name:4:7}', 'example'],
  ['${name:-x}', 'web.example.com'],
  ['${missing:-x}', 'x'],
  ['${missing:=x y}', 'x y'],
  ['${missing=x}', 'x'],
  ['${empty:-x}', 'x'],
  ['${missing:-${name}!}', 'web.example.com!'],
  ['${missing:-}', ''],
  ['${name#*.}', 'example.com'],
  ['${name##*.}', 'com'],
  ['${name%.*}', 'web.example'],
  ['${name%%.*}', 'web'],
  ['${name#we?}', '.example.com'],
  ['${name#[a-z]}', 'eb.example.com'],
  ['${name#nope}', 'web.example.com'],
  ['${path/\\//-}', 'a-b/c'],
  ['${path//\\//-}', 'a-b-c'],
  ['${name/web/api}', 'api.example.com'],
  ['${name/#web/api}', 'api.example.com'],
  ['${name/%com/org}', 'web.example.org'],
  ['${name/e/}', 'wb.example.com'],
]

for (const [text, result] of examples) {
  test(`variables: ${text}`, () => assert.equal(expanded(text), result))
}

test('a variable without a value says which and where', () => {
  assert.throws(() => expanded('a\n${missing}'), /missing has no value, in line 2/)
})

for (const text of ['${', '${}', '${name', '${name-x}', '${name#}', '${a b}', '${name/x}']) {
  test(`no variable: ${text}`, () => assert.throws(() => expanded(text), KustomizeError))
}

test('whatever the text, it ends as text or as a KustomizeError', () => {
  const piece = fc.constantFrom(
    '${',
    '}',
    '$',
    'name',
    ':',
    '-',
    '=',
    '/',
    '#',
    '%',
    '^',
    '[',
    '*',
    'x',
  )
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      try {
        expanded(pieces.join(''))
      } catch (error) {
        assert.ok(error instanceof KustomizeError, String(error))
      }
    }),
  )
})
