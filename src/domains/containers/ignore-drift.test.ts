/** Drift of a field that is to be ignored is none; what a commit changes and what has no field is never passed over. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Difference, Kind } from '#model/domain.ts'
import { vaultOf } from '#model/vault.ts'
import { drifted } from './changes.ts'
import { ignoringDrift } from './ignore-drift.ts'

const origin = { file: 'compose.yaml', line: 1, column: 1 }
const wanted = { ref: 'container/web-1', spec: {}, needs: [], origin, problems: [] }
const seen = {
  kind: 'present',
  recorded: undefined,
  outputs: {},
  live: {},
  spares: [],
} as const
const rules = [{ resource: 'container/web-1', fields: ['mem_limit'] }]

function compared(difference: Difference, ref = wanted.ref): Difference {
  const unused = () => {
    throw new Error('only compare is asked')
  }
  const kind: Kind = { compare: () => difference, expand: unused, keeps: unused, subject: unused }
  const vault = vaultOf(new Map(), new Uint8Array())
  const allowed = { recreateVolumes: false, pruneVolumes: false }
  return ignoringDrift(kind, rules).compare({ ...wanted, ref }, seen, vault, allowed)
}

const memory = { cause: 'mem_limit is 1', change: { path: 'mem_limit', from: 1, to: 2 } }
const stopped = {
  cause: 'it has stopped',
  change: { path: 'state', from: 'exited', to: 'running' },
}

test('drift of the field alone is none', () => {
  assert.deepEqual(compared(drifted([memory], seen)), { kind: 'same' })
})

test('other drift beside it is told without it', () => {
  const left = compared(drifted([memory, stopped], seen))
  assert.deepEqual(left.kind === 'changed' && left.changes, [stopped.change])
})

test('the same field of another resource, and what a commit changes, are told', () => {
  const drift = drifted([memory], seen)
  assert.deepEqual(compared(drift, 'container/db-1'), drift)
  const changed: Difference = {
    kind: 'changed',
    how: 'replace',
    cause: 'mem_limit changed',
    changes: [memory.change],
  }
  assert.deepEqual(compared(changed), changed)
})

test('what a run that was cut off left behind is never passed over', () => {
  const drift = drifted([memory], { ...seen, spares: ['web-old'] })
  assert.equal(compared(drift).kind, 'changed')
})
