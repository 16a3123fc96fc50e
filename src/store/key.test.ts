/** The instance's key, what follows from it, and secrets under it. */
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { Problem } from '#model/problem.ts'
import { givenKey, homeKey, seedOf } from './key.ts'
import { sealed, unsealed } from './seal.ts'

function unusable(message: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof Problem)
    assert.equal(error.code, 'store_unusable')
    assert.match(error.message, message)
    return true
  }
}

describe('the key', () => {
  let home = ''
  before(() => {
    home = mkdtempSync(join(tmpdir(), 'tend-key-'))
  })
  after(() => {
    rmSync(home, { recursive: true })
  })

  test('is made once, of 32 bytes, for its user only', () => {
    const file = join(home, 'key')
    const first = homeKey(file)
    assert.deepEqual([first.isNew, first.key.length], [true, 32])
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.deepEqual(readdirSync(home), ['key'])
    chmodSync(file, 0o644)
    const second = homeKey(file)
    assert.deepEqual([second.isNew, second.key], [false, first.key])
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.deepEqual(givenKey(file), first.key)
  })

  test('that is given must be there, and whole', () => {
    assert.throws(() => givenKey(join(home, 'none')), unusable(/there is no key in .*none/))
    writeFileSync(join(home, 'short'), 'short')
    assert.throws(() => givenKey(join(home, 'short')), unusable(/holds 5 bytes, not 32/))
    assert.throws(() => homeKey(join(home, 'short')), unusable(/holds 5 bytes, not 32/))
    assert.throws(() => homeKey(home), unusable(/can't be read/))
    assert.throws(() => homeKey(join(home, 'no/key')), unusable(/can't be made/))
  })

  test('yields a seed for each application and installation', () => {
    const [one, two] = [new Uint8Array(32), new Uint8Array(32).fill(1)]
    const seeds = [
      seedOf(one, 'chart:a', 1),
      seedOf(one, 'chart:a', 2),
      seedOf(one, 'chart:b', 1),
      seedOf(two, 'chart:a', 1),
    ].map((seed) => Buffer.from(seed).toString('hex'))
    assert.equal(new Set(seeds).size, 4)
    assert.equal(Buffer.from(seedOf(one, 'chart:a', 1)).toString('hex'), seeds[0])
    assert.match(seeds[0]!, /^[0-9a-f]{64}$/)
  })
})

describe('sealed secrets', () => {
  const key = new Uint8Array(32).fill(7)
  const place = { application: 'chart:web', run: 3 }
  const secrets = new Map([['password', Buffer.from('hunter2')]])

  test('come back as they were', () => {
    const entry = fc.tuple(fc.string(), fc.uint8Array())
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        const map = new Map(entries)
        const back = unsealed(sealed(map, key, place), key, place)
        const plain = [...back].map(([id, bytes]) => [id, [...bytes]])
        assert.deepEqual(
          plain,
          [...map].map(([id, bytes]) => [id, [...bytes]]),
        )
      }),
    )
  })

  test('show nothing, and never look the same twice', () => {
    const first = Buffer.from(sealed(secrets, key, place))
    assert.equal(first.includes('hunter2'), false)
    assert.equal(first.includes(Buffer.from('hunter2').toString('base64')), false)
    assert.notDeepEqual(first, sealed(secrets, key, place))
  })

  test('stay closed to another key, in another place, and when a byte is wrong', () => {
    const bytes = sealed(secrets, key, place)
    const other = new Uint8Array(32)
    const message = /secrets of run 3 of chart:web were encrypted with another key/
    assert.throws(() => unsealed(bytes, other, place), unusable(message))
    for (const wrong of [
      { ...place, run: 4 },
      { ...place, application: 'chart:other' },
    ]) {
      assert.throws(() => unsealed(bytes, key, wrong), unusable(/are damaged/))
    }
    for (const at of [0, 9, 25, bytes.length - 1]) {
      const spoilt = Uint8Array.from(bytes)
      spoilt[at]! ^= 1
      assert.throws(() => unsealed(spoilt, key, place), unusable(/are damaged/), `byte ${at}`)
    }
    for (const length of [0, 1, 10, 30]) {
      assert.throws(
        () => unsealed(bytes.subarray(0, length), key, place),
        unusable(/secrets of run 3/),
      )
    }
  })
})
