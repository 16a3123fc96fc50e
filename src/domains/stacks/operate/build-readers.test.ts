/** Which builds end when an image gets its name. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '#model/problem.ts'
import { buildReaders, type BuildReader } from './build-readers.ts'

function reader(
  owner: string,
  images: readonly string[],
  shared: readonly string[] = [],
): BuildReader {
  return {
    owner,
    images,
    refusal(image, builder) {
      if (shared.includes(image)) return undefined
      return new Problem({ type: 'runtime', code: 'denied', message: `${image} is ${builder}'s` })
    },
  }
}

/** Goes on until it is ended. */
function build(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('cut off')))
  })
}

test('those that read it by any of its names, are of others and may not', async () => {
  const readers = buildReaders()
  const going = new Set(['own', 'other', 'shared'])
  const begin = (name: string, one: BuildReader): Promise<unknown> =>
    readers.during(one, build).catch((error: unknown) => {
      going.delete(name)
      return error
    })
  const ended = begin('late', reader('evil', ['docker.io/library/shop-web']))
  void begin('own', reader('shop', ['shop-web']))
  void begin('other', reader('evil', ['shop-web-2', 'shop-web:2']))
  void begin('shared', reader('friend', ['shop-web'], ['shop-web']))
  await readers.end('shop-web', 'shop')
  const why = await ended
  assert.ok(why instanceof Problem)
  assert.equal(why.message, "docker.io/library/shop-web is shop's")
  assert.deepEqual([...going], ['own', 'other', 'shared'])
})

test('what failed by itself says why itself', async () => {
  const failing = buildReaders().during(reader('a', []), () => Promise.reject(new Error('no disk')))
  await assert.rejects(failing, /no disk/)
})
