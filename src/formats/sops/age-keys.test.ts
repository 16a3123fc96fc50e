/** The test vectors of age itself (C2SP's CCTV): what is to be opened is opened, and everything malformed is refused. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import {
  armor,
  Decrypter,
  Encrypter,
  generateHybridIdentity,
  identityToRecipient,
} from 'age-encryption'
import * as vectors from 'cctv-age'
import { ageKeys } from './age-keys.ts'
import { SopsError } from './error.ts'

type Vector = {
  readonly name: string
  readonly expect: string
  readonly digest: string
  readonly identities: readonly string[]
  readonly passphrases: readonly string[]
  readonly file: Buffer
}

function read([name, bytes]: readonly [string, Uint8Array]): Vector {
  const whole = Buffer.from(bytes)
  const end = whole.indexOf('\n\n')
  const lines = whole.subarray(0, end).toString().split('\n')
  const all = (key: string) =>
    lines.filter((line) => line.startsWith(`${key}: `)).map((line) => line.slice(key.length + 2))
  const rest = whole.subarray(end + 2)
  return {
    name,
    expect: all('expect')[0]!,
    digest: all('payload')[0] ?? '',
    identities: all('identity'),
    passphrases: all('passphrase'),
    file: all('compressed')[0] === 'zlib' ? inflateSync(rest) : rest,
  }
}

const all = Object.entries(vectors).map(read)

test('all of the vectors are there', () => assert.equal(all.length, 143))

for (const { name, expect, digest, identities, passphrases, file } of all) {
  test(`age vector ${name}: ${expect}`, async () => {
    // we open no files with a passphrase: those show that the library is whole
    const open = passphrases.length > 0 ? withPassphrases(passphrases) : await ageKeys(identities)
    const opened = open === undefined ? undefined : await open(file).catch(refusalOf)
    if (expect === 'success') {
      assert.ok(Buffer.isBuffer(opened), String(opened))
      assert.equal(createHash('sha256').update(opened).digest('hex'), digest)
    } else if (expect === 'no match' || open === undefined) assert.equal(opened, undefined)
    else assert.ok(opened instanceof SopsError, String(opened))
  })
}

function refusalOf(error: unknown): SopsError {
  if (error instanceof SopsError) return error
  throw error
}

function withPassphrases(passphrases: readonly string[]) {
  return async (file: Buffer): Promise<Buffer | undefined> => {
    const decrypter = new Decrypter()
    for (const one of passphrases) decrypter.addPassphrase(one)
    try {
      const text = file.toString('latin1')
      const isArmored = text.startsWith('-----BEGIN')
      return Buffer.from(await decrypter.decrypt(isArmored ? armor.decode(text) : file))
    } catch (error) {
      if (String(error).includes('no identity matched')) return undefined
      throw new SopsError(String(error))
    }
  }
}

test('a post-quantum key opens what was encrypted for it, and another does not', async () => {
  const [own, other] = [await generateHybridIdentity(), await generateHybridIdentity()]
  const encrypter = new Encrypter()
  encrypter.addRecipient(await identityToRecipient(own))
  const file = Buffer.from(armor.encode(await encrypter.encrypt('hello')))
  const open = await ageKeys([`# created: today\n${own}\n`])
  assert.equal((await open!(file))?.toString(), 'hello')
  assert.equal(await (await ageKeys([other]))!(file), undefined)
})
