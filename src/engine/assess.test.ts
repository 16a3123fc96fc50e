/** The two answers, sync and health, from what was planned and what was looked at. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Look } from '#model/domain.ts'
import type { Group, Step } from '#model/plan.ts'
import { factsOf, Problem } from '#model/problem.ts'
import type { Observed, Resource } from '#model/resource.ts'
import { assess, unknownAssessment, type AssessedResource } from './assess.ts'

const kind = {
  healthGate: (ref: string) => (ref.startsWith('container/') ? ('healthy' as const) : undefined),
}
const present: Observed = {
  kind: 'present',
  recorded: undefined,
  outputs: {},
  live: null,
  spares: [],
}

function wants(...refs: readonly string[]): { readonly resources: readonly Resource[] } {
  const origin = { file: 't.yaml', line: 1, column: 1 }
  return { resources: refs.map((ref) => ({ ref, spec: null, needs: [], origin, problems: [] })) }
}

function group(ref: string, step: Step, cause: string): Group {
  const none = { prepare: [], make: [], undo: [], finish: [], needs: [] }
  const change = { path: 'image', from: 'a', to: 'b' }
  const changes = step === 'update' || step === 'replace' ? [change] : []
  return { ref, step, cause, changes, ...none, gate: 'none', subject: null }
}

function seen(refs: readonly string[], groups: readonly Group[] = []): AssessedResource {
  return { world: new Map(refs.map((ref) => [ref, present])), plan: { groups, skipped: [] } }
}

function looks(found: Readonly<Record<string, Look['state']>>): ReadonlyMap<string, Look> {
  return new Map(
    Object.entries(found).map(([ref, state]) => [ref, { state, message: `it is ${state}` }]),
  )
}

test('everything as declared and well', () => {
  const refs = ['network/a', 'container/b'] as const
  const { sync, health, resources } = assess(
    wants(...refs),
    seen(refs),
    looks({ 'container/b': 'ok' }),
    kind,
  )
  assert.deepEqual(sync, { state: 'synced', reason: '' })
  assert.deepEqual(health, { state: 'healthy', reason: '' })
  assert.equal(resources[0]?.health, undefined)
  assert.equal(resources[1]?.health?.state, 'healthy')
})

test('as declared does not mean well: a crash loop is synced and failed', () => {
  const { sync, health } = assess(
    wants('container/a'),
    seen(['container/a']),
    looks({ 'container/a': 'failed' }),
    kind,
  )
  assert.equal(sync.state, 'synced')
  assert.deepEqual(health, { state: 'failed', reason: 'container/a: it is failed' })
})

test('well does not mean as declared: a changed image is drifted and healthy', () => {
  const { sync, health, resources } = assess(
    wants('container/a'),
    seen(['container/a'], [group('container/a', 'replace', 'image changed')]),
    looks({ 'container/a': 'ok' }),
    kind,
  )
  assert.deepEqual(sync, { state: 'drifted', reason: 'container/a: image changed' })
  assert.equal(health.state, 'healthy')
  assert.deepEqual(resources[0]?.sync.changes, [{ path: 'image', from: 'a', to: 'b' }])
})

test('one of two that does not work: degraded; all of them: failed', () => {
  const refs = ['container/a', 'container/b'] as const
  const of = (found: Parameters<typeof looks>[0]) =>
    assess(wants(...refs), seen(refs), looks(found), kind).health
  assert.deepEqual(of({ 'container/a': 'ok', 'container/b': 'failed' }), {
    state: 'degraded',
    reason: 'container/b: it is failed',
  })
  assert.equal(of({ 'container/a': 'failed', 'container/b': 'failed' }).state, 'failed')
  assert.equal(of({ 'container/a': 'ok', 'container/b': 'waiting' }).state, 'progressing')
})

test('what is missing does not work, and nothing at all is missing as a whole', () => {
  const refs = ['container/a', 'container/b'] as const
  const half = assess(
    wants(...refs),
    seen(['container/a'], [group('container/b', 'create', 'it does not exist')]),
    looks({ 'container/a': 'ok' }),
    kind,
  )
  assert.equal(half.sync.state, 'drifted')
  assert.equal(half.health.state, 'degraded')
  const none = assess(wants(...refs), seen([]), new Map(), kind)
  assert.equal(none.sync.state, 'missing')
  assert.equal(none.health.state, 'failed')
})

test('what could not be looked at is unknown, never well', () => {
  const problem = factsOf(new Problem({ type: 'runtime', code: 'api_error', message: 'no answer' }))
  const plan = { groups: [], skipped: [{ ref: 'container/a', problem }] }
  const { sync, health } = assess(wants('container/a'), { world: new Map(), plan }, new Map(), kind)
  assert.deepEqual(sync, { state: 'unknown', reason: 'container/a: no answer' })
  assert.deepEqual(health, { state: 'unknown', reason: 'container/a: no answer' })
  const blind = unknownAssessment(['container/a'], 'the engine is away')
  assert.equal(blind.health.state, 'unknown')
  assert.equal(blind.resources[0]?.sync.state, 'unknown')
})

test('what a failed run left behind is drift', () => {
  const extra = group('container/old', 'delete', 'no longer declared')
  const { sync, resources } = assess(wants(), seen(['container/old'], [extra]), new Map(), kind)
  assert.equal(sync.state, 'drifted')
  assert.equal(resources[0]?.ref, 'container/old')
})
