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
