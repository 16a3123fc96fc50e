import assert from 'node:assert/strict'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { test } from 'node:test'
import { createRenderCache } from './render-cache.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** What is collected is gone only after the turn in which it was made. */
async function survivors(make: (keep: (weight: number) => void) => void): Promise<number> {
  const all: WeakRef<object>[] = []
  const recent = createRenderCache(10)
  make((weight) => {
    const thing = { weight }
    all.push(new WeakRef(thing))
    recent.keep(thing, weight)
  })
  await new Promise((resolve) => setImmediate(resolve))
  collect()
  const left = all.filter((one) => one.deref() !== undefined).length
  recent.keep({}, 1)
  return left
}

test('the newest stay, up to a weight; what alone is too heavy does not push out the others', async () => {
  assert.equal(await survivors((keep) => [4, 4, 4, 4].forEach(keep)), 2)
  assert.equal(await survivors((keep) => [4, 4, 11].forEach(keep)), 2)
})
