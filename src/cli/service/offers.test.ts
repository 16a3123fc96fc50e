import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loadedCharts } from '#kinds/charts/load.ts'
import { loadedStacks } from '#kinds/stacks/load.ts'
import { offering, offersIn } from './offers.ts'

describe('what a replica offers', () => {
  test('is what is said, for the kinds that such an engine runs', () => {
    const isOffered = offering(offersIn(['docker=unix:///a.sock', 'podman=tcp://host:8080']))
    assert.equal(isOffered(loadedStacks, 'unix:///a.sock'), true)
    assert.equal(isOffered(loadedCharts, 'unix:///a.sock'), false)
    assert.equal(isOffered(loadedCharts, 'tcp://host:8080'), true)
    assert.equal(isOffered(loadedStacks, 'tcp://host:8080'), true)
    assert.equal(isOffered(loadedStacks, 'unix:///b.sock'), false)
  })

  test('without a word is what can be reached over a network, and the sockets that are there', () => {
    const isOffered = offering([])
    assert.equal(isOffered(loadedStacks, 'tcp://host:2375'), true)
    assert.equal(isOffered(loadedStacks, 'ssh://me@host'), true)
    assert.equal(isOffered(loadedStacks, 'unix:///nowhere/docker.sock'), false)
    assert.equal(isOffered(loadedStacks, `unix://${import.meta.filename}`), true)
  })

  test('what is no engine and its address is refused with an example', () => {
    for (const text of ['docker', 'docker=', '=unix:///x', 'qemu=x']) {
      assert.throws(() => offersIn([text]), /is not an engine and its address/)
    }
  })
})
