/** Whose doing it is that an engine tells of. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOurDoing } from './our-doing.ts'

const keys = ['stack:busy', 'stack:idle', 'stack:theirs']
const apps = new Map(
  keys.map((key) => {
    const underWay = key === 'stack:busy' ? ('sync' as const) : undefined
    return [key, { key, owner: `home:${key}`, underWay, monitor: 'a' }] as const
  }),
)
const service = { apps, isOurs: (key: string) => key !== 'stack:theirs' }

test('what goes on here, and whatever another replica looks after', () => {
  assert.equal(isOurDoing(service, 'home', 'a', 'home:stack:busy'), true)
  assert.equal(isOurDoing(service, 'home', 'a', 'home:stack:theirs'), true)
})

test('what others did to what is ours is news, also of what is known nowhere', () => {
  assert.equal(isOurDoing(service, 'home', 'a', 'home:stack:idle'), false)
  assert.equal(isOurDoing(service, 'home', 'b', 'home:stack:busy'), false)
  assert.equal(isOurDoing(service, 'home', 'a', 'home:stack:unknown'), false)
  assert.equal(isOurDoing(service, 'home', 'a', 'else:stack:busy'), false)
})

test('without an owner, whether anything goes on there', () => {
  assert.equal(isOurDoing(service, 'home', 'a', undefined), true)
  assert.equal(isOurDoing(service, 'home', 'b', undefined), false)
})
