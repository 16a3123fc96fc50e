/** Small readings of what engines write in words. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exitCodeIn, healthIn } from './container-list.ts'
import { eventOf } from './events.ts'
import { partsOf } from './images.ts'

test('health and exit code from a status', () => {
  assert.equal(healthIn('Up 3 minutes (healthy)'), 'healthy')
  assert.equal(healthIn('Up 1 second (health: starting)'), 'starting')
  assert.equal(healthIn('Up 1 second (unhealthy)'), 'unhealthy')
  assert.equal(healthIn('Up 1 second'), undefined)
  assert.equal(exitCodeIn('Exited (137) 2 hours ago'), 137)
  assert.equal(exitCodeIn('Up 2 hours'), undefined)
})

test('an image’s name and what of it is wanted', () => {
  assert.deepEqual(partsOf('nginx'), { name: 'nginx', version: 'latest' })
  assert.deepEqual(partsOf('h:5000/a/b'), { name: 'h:5000/a/b', version: 'latest' })
  assert.deepEqual(partsOf('h:5000/a:1'), { name: 'h:5000/a', version: '1' })
  assert.deepEqual(partsOf('a:1@sha256:00'), { name: 'a', version: 'sha256:00' })
})

test('what an event adds to its action is told apart', () => {
  const event = eventOf({
    Type: 'container',
    Action: 'health_status: unhealthy',
    Actor: { ID: '0a', Attributes: { name: 'web', image: 'x' } },
    time: 5,
  })
  assert.deepEqual(
    [event.action, event.detail, event.name, event.at],
    ['health_status', 'unhealthy', 'web', 5],
  )
  assert.equal(eventOf({ Action: 'exec_start: sh -c a: b' }).detail, 'sh -c a: b')
  assert.equal(eventOf({ Type: 'container', Action: 'remove' }).action, 'destroy')
  assert.equal(eventOf({ Type: 'image', Action: 'remove' }).action, 'remove')
})
