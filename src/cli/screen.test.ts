import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { screenOf, type Screen } from './screen.ts'

function screenWith(
  more: {
    readonly isTTY?: boolean
    readonly answer?: string
    readonly format?: 'table' | 'json' | 'yaml'
    readonly isWanted?: boolean
    readonly environment?: Record<string, string>
  } = {},
): { readonly screen: Screen; readonly told: { out: string; err: string } } {
  const told = { out: '', err: '' }
  const { isTTY = false, answer = '', format = 'table', isWanted = true, environment = {} } = more
  const stdin = Object.assign(Readable.from([answer]), { isTTY })
  const stdout = { isTTY, columns: 80, write: (text: string) => void (told.out += text) }
  const stderr = { isTTY, columns: 80, write: (text: string) => void (told.err += text) }
  return { screen: screenOf({ stdin, stdout, stderr }, format, { isWanted, environment }), told }
}

test('colours only where somebody sees them and nobody said no', () => {
  const painted = (...more: Parameters<typeof screenWith>): string =>
    screenWith(...more).screen.paint('red', 'x')
  assert.equal(painted({ isTTY: true }), '\u001b[31mx\u001b[39m')
  assert.equal(painted({ isTTY: false }), 'x')
  assert.equal(painted({ isTTY: true, isWanted: false }), 'x')
  assert.equal(painted({ isTTY: true, environment: { NO_COLOR: '1' } }), 'x')
  assert.equal(painted({ isTTY: true, environment: { NO_COLOR: '' } }), '\u001b[31mx\u001b[39m')
  assert.equal(painted({ isTTY: true, environment: { TERM: 'dumb' } }), 'x')
})

test('what is drawn live is gone before a line comes', () => {
  const { screen, told } = screenWith({ isTTY: true })
  screen.live?.draw(['one', 'two'])
  screen.live?.draw(['three'])
  assert.equal(told.err, 'one\ntwo\n\u001b[2A\u001b[0Jthree\n')
  screen.print(['a line'])
  assert.ok(told.err.endsWith('\u001b[1A\u001b[0J'))
  assert.equal(told.out, 'a line\n')
  assert.equal(screenWith().screen.live, undefined)
})

test('questions only to whoever can answer; only yes is yes', async () => {
  assert.equal(screenWith().screen.ask, undefined)
  assert.equal(screenWith({ isTTY: true, format: 'json' }).screen.ask, undefined)
  assert.equal(await screenWith({ isTTY: true, answer: 'y\n' }).screen.ask?.('Go on?'), true)
  assert.equal(await screenWith({ isTTY: true, answer: '\n' }).screen.ask?.('Go on?'), false)
  assert.equal(await screenWith({ isTTY: true, answer: '' }).screen.ask?.('Go on?'), false)
})

test('documents in the form that was asked for', async () => {
  const json = screenWith({ format: 'json' })
  await json.screen.document({ a: [1] })
  assert.equal(json.told.out, '{\n  "a": [\n    1\n  ]\n}\n')
  const yaml = screenWith({ format: 'yaml' })
  await yaml.screen.document({ a: [1] })
  assert.equal(yaml.told.out, 'a:\n  - 1\n')
})

test('a terminal gets colours and no other control; a program gets what there is, and JSON says it in its own way', async () => {
  const planted = 'a\u009b2J\u001b]0;title\u0007\u202eb\r'
  const seen = screenWith({ isTTY: true })
  seen.screen.print([`\u001b[31mred\u001b[39m ${planted}`])
  seen.screen.note(planted)
  seen.screen.live?.draw([planted])
  assert.equal(seen.told.out, '\u001b[31mred\u001b[39m a\\u009b2J\\u001b]0;title\\u0007\\u202eb\n')
  // oxlint-disable-next-line no-control-regex
  assert.doesNotMatch(seen.told.err, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  const piped = screenWith({ isTTY: false })
  piped.screen.print([planted])
  assert.equal(piped.told.out, `${planted}\n`)
  const document = screenWith({ isTTY: false, format: 'json' })
  await document.screen.document({ planted })
  assert.deepEqual(JSON.parse(document.told.out), { planted })
  // oxlint-disable-next-line no-control-regex
  assert.doesNotMatch(document.told.out, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
})
