import assert from 'node:assert/strict'
import { test } from 'node:test'
import { causeIn, plainLines } from './error-output.ts'

test('of k3d the first complaint counts, not that everything was rolled back, and colours go whole', () => {
  const text = `\u001b[36mINFO\u001b[0m[0000] Prep: Network
\u001b[31mERRO\u001b[0m[0013] Failed Cluster Start: Bind for 127.0.0.1:18090 failed: port is already allocated
\u001b[31mERRO\u001b[0m[0013] Failed to create cluster >>> Rolling Back
\u001b[31mFATA\u001b[0m[0013] Cluster creation FAILED, all changes have been rolled back!
`
  assert.equal(
    causeIn(text),
    'Failed Cluster Start: Bind for 127.0.0.1:18090 failed: port is already allocated',
  )
  assert.equal(plainLines(text)[0], 'INFO[0000] Prep: Network')
})

test('that something is rolled back is no cause, wherever it stands', () => {
  const text = `ERRO[0002] cluster dev: rolling back
ERRO[0002] no gateway defined for network k3d-shared
`
  assert.equal(causeIn(text), 'no gateway defined for network k3d-shared')
})

test('of kind what its engine said counts', () => {
  const text = `ERROR: failed to create cluster: command "docker run --name dev-control-plane" failed with error: exit status 125
Command Output: docker: Error response from daemon: Bind for 127.0.0.1:80 failed: port is already allocated.

Run 'docker run --help' for more information
`
  assert.equal(
    causeIn(text),
    'docker: Error response from daemon: Bind for 127.0.0.1:80 failed: port is already allocated.',
  )
})

test('of what kind repeats of its engine the reason counts, not the id before it', () => {
  const text = `ERROR: failed to create cluster: command "docker run --name ka-control-plane" failed with error: exit status 125

Command Output: ${'6ebc740b'.repeat(8)}
docker: Error response from daemon: driver failed programming external connectivity on endpoint ka-control-plane: Error starting userland proxy: listen tcp4 127.0.0.1:18443: bind: address already in use

Run 'docker run --help' for more information
`
  assert.match(causeIn(text), /^docker: Error .* listen tcp4 127\.0\.0\.1:18443: bind: address/)
})

test('what complains in no known way is told by its last line', () => {
  assert.equal(causeIn('one\ntwo\n\n'), 'two')
  assert.equal(causeIn(''), '')
  assert.equal(
    causeIn('FATA[0000] Cluster creation FAILED, all changes have been rolled back!'),
    'Cluster creation FAILED, all changes have been rolled back!',
  )
})

test('of a long chain the end is told, where the cause is', () => {
  const chain = `ERRO[0013] Failed Cluster Start: ${'because of that, '.repeat(40)}listen tcp4 127.0.0.1:18091: bind: address already in use`
  const cause = causeIn(chain)
  assert.ok(cause.length < 450)
  assert.match(
    cause,
    /^Failed Cluster Start: .*\b(because|of|that,) … (because|of|that,) .*127\.0\.0\.1:18091: bind: address already in use$/,
  )
})

test('a complaint that names a reason counts before one that does not, as k3d tells of a start that failed', () => {
  const text = `ERRO[0000] Failed to run tools container for cluster 'd2'
FATA[0000] failed to gather info about cluster environment: failed to create node 'k3d-d2-tools': no such image
`
  assert.match(causeIn(text), /^failed to gather .*: no such image$/)
})
