import assert from 'node:assert/strict'
import { test } from 'node:test'
import { again } from './again.ts'

test('what was a moment’s fault is asked again, and nothing else', async () => {
  const said = ['route ip+net: no such network interface', 'name is taken']
  let calls = 0
  const work = async (): Promise<string> => {
    throw new Error(said[calls++])
  }
  await assert.rejects(again(work), /name is taken/)
  assert.equal(calls, 2)
  calls = 0
  said.fill(said[0]!)
  said.length = 20
  said.fill(said[0]!)
  await assert.rejects(again(work), /no such network interface/)
  assert.equal(calls, 5)
  assert.equal(await again(async () => 'well'), 'well')
})
