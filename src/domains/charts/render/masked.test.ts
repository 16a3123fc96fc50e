/** What is secret is masked, everything else is shown as it was rendered. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { stringify } from 'yaml'
import { readYaml } from '#formats/yaml/read-yaml.ts'
import { looksSecret } from '#model/looks-secret.ts'
import { maskedText } from './masked.ts'

test('values of secrets, in every way to write them', () => {
  const text = `kind: CuteSecret # kept
spec:
  data:
    a: c2VjcmV0 # kept too
    b: >-
      bG9uZ2Vy
    c: &anchor "quoted"
  stringData:
    d: |
      -----BEGIN-----
      secret
    e: *anchor
    f: [not, valid]
---
kind: CuteContainer
spec:
  env:
    - {name: DB_PASSWORD, value: secret}
    - name: COLOUR
      value: blue
`
  const shown = maskedText(text, readYaml(text))
  assert.equal(
    shown,
    `kind: CuteSecret # kept
spec:
  data:
    a: "******" # kept too
    b: "******"
    c: &anchor "******"
  stringData:
    d: "******"
    e: "******"
    f: "******"
---
kind: CuteContainer
spec:
  env:
    - {name: DB_PASSWORD, value: "******"}
    - name: COLOUR
      value: blue
`,
  )
  assert.equal(readYaml(shown).errors.length, 0)
})

test('a text that is not YAML is not shown at all', () => {
  assert.equal(
    maskedText('a: b: c\n', readYaml('a: b: c\n')),
    '# not shown: the text is not valid YAML\n',
  )
})

test('no value of a secret is ever shown', () => {
  const key = fc.stringMatching(/^[a-z]{1,8}$/)
  const value = fc.string({ minLength: 1 }).map((text) => `S${text}`)
  fc.assert(
    fc.property(fc.dictionary(key, value), (data) => {
      const text = stringify({ kind: 'CuteSecret', spec: { stringData: data } })
      const shown = maskedText(text, readYaml(text))
      const { documents } = readYaml(shown)
      const expected = Object.fromEntries(Object.keys(data).map((name) => [name, '******']))
      assert.deepEqual(documents[0]?.value, { kind: 'CuteSecret', spec: { stringData: expected } })
    }),
  )
})

test('which variables look secret', () => {
  for (const name of [
    'DB_PASSWORD',
    'apiToken',
    'AWS_SECRET_ACCESS_KEY',
    'MY_KEY',
    'KEY_ID',
    'PGPASS',
  ]) {
    assert.equal(looksSecret(name, ''), true, name)
  }
  for (const name of ['PWD', 'COLOUR', 'KEYBOARD', 'PASSENGERS', 'PORT']) {
    assert.equal(looksSecret(name, 'x'), false, name)
  }
  assert.equal(looksSecret('DATABASE_URL', 'postgres://me:pw@db/x'), true)
  assert.equal(looksSecret('DATABASE_URL', 'postgres://db:5432/x'), false)
})
