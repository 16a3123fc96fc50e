/** Files that SOPS itself encrypted, in all forms it knows; and what was changed in them is noticed. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { decryptFile, decryptObject, isEncryptedObject, keyringOf } from './decrypt.ts'
import { encryptedFormatOf, formatOf, isEncryptedFile } from './encrypted-format.ts'
import { SopsError } from './error.ts'

type Case = { readonly file: string; readonly encrypted: string; readonly plain: string }

const made: { readonly key: string; readonly other: string; readonly cases: readonly Case[] } =
  JSON.parse(
    readFileSync(join(import.meta.dirname, '../../../test/conformance/cases/sops.json'), 'utf8'),
  )
const keyring = await keyringOf([made.key])

function encrypted(file: string): string {
  return made.cases.find((one) => one.file === file)!.encrypted
}

async function open(text: string, file: string, ring = keyring): Promise<string> {
  return (await decryptFile(Buffer.from(text), ring, formatOf(file))).toString()
}

for (const one of made.cases) {
  test(`as sops decrypts it: ${one.file}`, async () => {
    assert.equal(isEncryptedFile(Buffer.from(one.encrypted), formatOf(one.file)), true)
    assert.equal(await open(one.encrypted, one.file), one.plain)
    const none = await keyringOf([])
    await assert.rejects(open(one.encrypted, one.file, none), /no age key/)
  })
}

test('any of its recipients opens a file, and nobody else', async () => {
  const other = await keyringOf([made.other])
  assert.match(await open(encrypted('two.yaml'), 'two.yaml', other), /word_secret: x/)
  await assert.rejects(open(encrypted('secret.yaml'), 'secret.yaml', other), /none of the age keys/)
})

test('what was changed, moved or taken away is noticed', async () => {
  const file = 'secret.yaml'
  const text = encrypted(file)
  const changed = /changed after it was encrypted/
  await assert.rejects(open(text.replace('name: s\n', 'name: t\n'), file), changed)
  await assert.rejects(open(text.replace(/^ {4}number: .*\n/m, ''), file), changed)
  const [password, number] = ['password', 'number'].map(
    (name) => new RegExp(`${name}: (ENC.*)`).exec(text)![1]!,
  )
  const moved = text.replace(number!, password!)
  await assert.rejects(open(moved, file), /stringData\.number can't be decrypted/)
  const plain = text.replace(number!, 'plain')
  await assert.rejects(open(plain, file), /stringData\.number should be encrypted, but is not/)
})

test('documents without content around it are no fault of the reader', async () => {
  const text = encrypted('secret.yaml')
  for (const around of [`---\n---\n${text}`, `${text}---\n# nothing\n---\n`]) {
    const thrown = await open(around, 'secret.yaml').then(
      () => undefined,
      (error: unknown) => error,
    )
    assert.ok(thrown === undefined || thrown instanceof SopsError, String(thrown))
  }
})

test('with mac_only_encrypted the rest may be changed', async () => {
  const text = encrypted('maconly.yaml').replace('name: s\n', 'name: t\n')
  assert.match(await open(text, 'secret.yaml'), /name: t\n/)
})

test('an object that was built from a file is decrypted without its check sum', async () => {
  const object = { ...parse(encrypted('secret.yaml')), added: 'later' }
  assert.equal(isEncryptedObject(object), true)
  const { stringData, data, added, sops } = await decryptObject(object, keyring)
  const multi = 'a\nb\n'
  assert.deepEqual(stringData, { password: 'hunter2', multi, number: '12', empty: '' })
  assert.deepEqual([data, added, sops], [{ x: 'aGVsbG8=' }, 'later', undefined])
  assert.equal(isEncryptedObject({ kind: 'Secret', data: {} }), false)
})

test('the form of encrypted bytes is told by what stands in them', async () => {
  const told = made.cases.map(({ file, encrypted: text }) => [
    file,
    encryptedFormatOf(Buffer.from(text)),
  ])
  assert.deepEqual(
    Object.fromEntries(told),
    Object.fromEntries(
      made.cases.map(({ file }) => [file, formatOf(file).replace('binary', 'json')]),
    ),
  )
  assert.equal(encryptedFormatOf(Buffer.from('mac: none')), undefined)
})

test('keys that are no keys are refused without showing them', async () => {
  const bad = made.key.split('\n').find((line) => line.startsWith('AGE'))!
  for (const text of [bad.slice(0, -1), `${bad.slice(0, -2)}QQ`, 'secret', bad.toLowerCase() + 'X'])
    await assert.rejects(
      keyringOf([text]),
      (error) => error instanceof SopsError && !error.message.includes(text),
    )
})
