import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Observed, Resource } from '#model/resource.ts'
import { heldAgainstRows } from './changed-rows.ts'
import { rowsOfFile } from '../registrations/table-rows.ts'
import { shapeOf } from '../cluster-spec.ts'

const registrations = { route: true, portainer: true, argocd: true, git: true }

function declared(httpPort: number, desired = 'present') {
  const ports = { nodePort: null, pfPort: null, httpPort, httpsPort: null, subnet: null }
  const row = { name: 'dev', provider: 'k3d', desired, ...ports, registrations, settings: {} }
  return rowsOfFile([row])
}

function clusterOf(rows: ReturnType<typeof declared>): Resource {
  const origin = { file: 'clusters', line: 1, column: 1 }
  const shape = shapeOf(rows.rows[0]!, {}, undefined)
  return {
    ref: 'cluster/dev',
    spec: { state: 'present', ...shape },
    needs: [],
    origin,
    problems: [],
  }
}

const absent: Observed = { kind: 'absent' }

test('a row that changed since it was rendered is unknown to the run, and so nothing is done', () => {
  const wanted = [clusterOf(declared(80))]
  const seen = (rows: ReturnType<typeof declared>) =>
    heldAgainstRows(new Map([['cluster/dev', absent]]), wanted, { declared: rows, settings: {} })
  assert.equal(seen(declared(80)).get('cluster/dev')?.kind, 'absent')
  assert.equal(seen(declared(81)).get('cluster/dev')?.kind, 'unknown')
  assert.equal(seen(declared(80, 'absent')).get('cluster/dev')?.kind, 'unknown')
  assert.equal(seen(rowsOfFile([])).get('cluster/dev')?.kind, 'unknown')
})

test('registrations of a row that the render does not know are no orphans', () => {
  const world = new Map([
    ['route/dev', absent],
    ['route/gone', absent],
  ])
  const rows = { declared: declared(80), settings: {} }
  assert.deepEqual([...heldAgainstRows(world, [], rows).keys()], ['route/gone'])
})
