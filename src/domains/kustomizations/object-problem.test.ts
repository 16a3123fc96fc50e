import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProblemFacts } from '#model/problem.ts'
import { aboutObject } from './object-problem.ts'

const ref = 'Deployment.apps/default/web'
const origin = { file: 'k8s/web.yaml', line: 3, column: 1 }
const metadata = { name: 'web', namespace: 'default' }
const spec = { apiVersion: 'apps/v1', kind: 'Deployment', metadata }
const unwell: ProblemFacts = { type: 'runtime', code: 'unhealthy', message: 'not healthy', ref }

test('a problem of an object names it and its place, once', () => {
  const told = aboutObject(unwell, [{ ref, spec, origin }])
  assert.equal(told.message, 'Deployment default/web: not healthy')
  assert.deepEqual(told.at, origin)
  assert.deepEqual(aboutObject(told, [{ ref, spec, origin }]), told)
  const named = { ...unwell, message: 'could not apply Deployment default/web: no' }
  const placed = aboutObject(named, [{ ref, spec, origin }])
  assert.equal(placed.message, named.message)
  assert.deepEqual(placed.at, origin)
  assert.deepEqual(aboutObject(unwell, []), unwell)
})
