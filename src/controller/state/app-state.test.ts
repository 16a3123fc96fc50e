/** Only app-state.ts changes what is known of an application. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { addAsk, takeAsks, type AppState } from './app-state.ts'
import { createAppState } from './create-app-state.ts'

/** The fields that an assignment could change: the type checker refuses the constant below when there is one. */
type WritableField = {
  [Field in keyof AppState]-?: Same<
    Pick<AppState, Field>,
    Readonly<Pick<AppState, Field>>
  > extends true
    ? never
    : Field
}[keyof AppState]
type Same<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false
const hasWritableField: [WritableField] extends [never] ? false : true = false

test('every field is readonly to whoever imports the type', () => {
  assert.equal(hasWritableField, false)
})

test('no other file of the controller takes readonly away', () => {
  const files = globSync('src/controller/**/*.ts').filter((file) => !file.endsWith('.test.ts'))
  const lifting = files.filter((file) => {
    const text = readFileSync(file, 'utf8')
    return /-readonly\b|Object\.(assign|defineProperty)\((appState|app|one)\b/.test(text)
  })
  assert.deepEqual(lifting, ['src/controller/state/app-state.ts'])
})

test('who took the asks is not told of later ones', () => {
  const application = { kind: 'stack', namespace: null, name: 'web' } as const
  const memo = { since: 0, from: '', removes: false, isRemoved: false }
  const app = createAppState(application, 'tend', memo)
  const ask = { trigger: 'manual', answer: () => undefined } as const
  addAsk(app, ask)
  const taken = takeAsks(app)
  addAsk(app, ask)
  assert.equal(taken.length, 1)
  assert.equal(app.asks.length, 1)
})
