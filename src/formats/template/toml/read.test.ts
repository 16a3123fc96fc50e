/** Texts that are no TOML, with what BurntSushi/toml 1.6.0 says of them; and those beside them that are. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { budget } from '../budget.ts'
import { GoError } from '../errors.ts'
import { readToml } from './read.ts'

function read(text: string) {
  return readToml(text, budget({ outputBytes: 1 << 20, steps: 100_000, depth: 100 }))
}

const refused: readonly (readonly [text: string, message: string])[] = [
  ['a = "\x7f"', `line 1 (last key "a"): TOML files cannot contain control characters: '0x7f'`],
  ['a = "\x00"', `line 1 (last key "a"): TOML files cannot contain control characters: '0x00'`],
  ['a = 1 # \x1f\n', "line 1: TOML files cannot contain control characters: '0x1f'"],
  ['a = 1\n\rb = 2\n', "line 2: TOML files cannot contain control characters: '0x0d'"],
  ['# \xc3\n', 'line 1: invalid UTF-8 byte: 0xc3'],
  ['a = 1\nb = "\xc3"\n', 'line 2 (last key "b"): invalid UTF-8 byte: 0xc3'],
  ['a = -0x1', `line 1 (last key "a"): cannot use sign with non-decimal numbers: '-0x'`],
  ['a = +0b1', `line 1 (last key "a"): cannot use sign with non-decimal numbers: '+0b'`],
  ['a = 0x_1', `line 1 (last key "a"): not a hexadecimal number: '0x_'`],
  ['a = 0o_1', `line 1 (last key "a"): not an octal number: '0o_'`],
  [
    'a = 0X1',
    "line 1: expected a top-level item to end with a newline, comment, or EOF, but got 'X' instead",
  ],
  ['a = "\\uD801"', `line 1 (last key "a"): Escaped character '\\uD801' is not valid UTF-8.`],
  [
    'a = "\\UFFFFFFFF"',
    `line 1 (last key "a"): Escaped character '\\uFFFFFFFF' is not valid UTF-8.`,
  ],
  ['a = """b""""""', `line 1 (last key "a"): unexpected '""""""'`],
  ["a = '''b''''''", `line 1 (last key "a"): unexpected "''''''"`],
  ['"""a""" = 1', `line 1: expected '.' or '=', but got '"' instead`],
]

for (const [text, message] of refused) {
  test(`no TOML: ${JSON.stringify(text)}`, () => {
    assert.throws(
      () => read(text),
      (error) => error instanceof GoError && error.text === `toml: ${message}`,
    )
  })
}

test('what stands beside it is read', () => {
  const text = 'a = "\t"\r\nb = 0x1_0\nc = """d"""""\n"e f" = "\\u00e9"\n'
  const found = [...read(text).entries].map(([key, value]) => [key, JSON.stringify(value, shown)])
  assert.deepEqual(
    found.map(([key]) => key),
    ['a', 'b', 'c', 'e f'],
  )
  assert.match(String(found[2]?.[1]), /d\\"\\"/)
})

function shown(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
