import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Made } from '#model/clusters.ts'
import { identify } from './cluster-identity.ts'

const made: Made = {
  phase: 'made',
  provider: 'k3d',
  spec: { httpPort: 18_090, httpsPort: null },
  identity: 'token:a created:1',
}
const facts = { httpPort: 18_090, httpsPort: 1, servers: 1, agents: 0, apiAddress: null }

test('all parts of an identity that both have must be the same, and one part must be there', () => {
  assert.equal(identify(made, { identity: 'token:a created:1' }), 'same')
  assert.equal(identify(made, { identity: 'token:a' }), 'same')
  assert.equal(identify(made, { identity: 'token:a created:2' }), 'stranger')
  assert.equal(identify(made, { identity: undefined }), 'unknown')
  assert.equal(identify({ ...made, phase: 'making' }, { identity: 'token:b' }), 'stranger')
})

test('one that was noted without an identity is ours while it publishes the ports that it was made with', () => {
  const old = { ...made, identity: undefined }
  assert.equal(identify(old, { identity: 'created:2', facts }), 'same')
  assert.equal(identify(old, { identity: 'x', facts: { ...facts, httpPort: null } }), 'stranger')
  assert.equal(identify(old, { identity: 'x' }), 'same')
  const half = { facts: { ...facts, httpPort: null }, missingPart: 'its load balancer' }
  assert.equal(identify(old, half), 'same')
  assert.equal(identify({ ...old, phase: 'making' }, { facts: half.facts }), 'same')
})

test('of what nobody said to be ours nothing is held against anybody', () => {
  assert.equal(identify(undefined, { identity: 'created:2' }), 'same')
  assert.equal(identify({ ...made, phase: 'found' }, { identity: 'created:2' }), 'same')
})
