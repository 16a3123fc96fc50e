/** What is planned for what is wanted and seen, as text. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Identity } from '#model/application.ts'
import type { Kind, Rendered } from '#model/domain.ts'
import { canonical, hashOf, type Json } from '#model/json.ts'
import type { Plan } from '#model/plan.ts'
import { Problem } from '#model/problem.ts'
import type { Need, Observed, Resource } from '#model/resource.ts'
import type { Value } from '#model/value.ts'
import { vaultOf } from '#model/vault.ts'
import { guard, type GuardOptions } from './guard.ts'
import { planOf } from './plan.ts'
import { planText } from '../../../test/testbed/plan-text.ts'

const application = { kind: 'chart', namespace: null, name: 'app' } as const
const identity: Identity = {
  owner: 'test:app',
  application,
  version: '1',
  revision: 'r',
  since: 0,
}

/** Replaces whatever differs; `volume/*` is kept when it is no longer declared. */
const kind: Kind = {
  compare(wanted, seen) {
    if (canonical(wanted.spec) === canonical(seen.recorded?.spec ?? null)) return { kind: 'same' }
    const change = { path: 'spec', from: seen.recorded?.spec ?? null, to: wanted.spec }
    return { kind: 'changed', how: 'replace', cause: 'spec changed', changes: [change] }
  },
  expand({ ref, step, cause, changes, wanted }) {
    const remove = { id: 'remove', verb: 'remove', payload: null, after: [] }
    const finish = step === 'delete' ? [{ ...remove, words: 'remove', disrupts: false }] : []
    const shared = { prepare: [], make: [], undo: [], finish, subject: null, gate: 'none' } as const
    return { ref, step, cause, changes, needs: wanted?.needs ?? [], ...shared }
  },
  keeps: (ref) => (ref.startsWith('volume/') ? 'volumes hold data' : undefined),
  subject: () => null,
}

function wants(ref: string, spec: Value, needs: readonly Need[] = []): Resource {
  const origin = { file: 't.yaml', line: 1, column: 1 }
  return { ref, spec, needs, origin, problems: [] }
}

function need(ref: string, renew = false): Need {
  return { ref, until: 'exists', renew }
}

function sees(
  spec: Json,
  needs: readonly Need[] = [],
  outputs: Record<string, Json> = {},
): Observed {
  const recorded = { hash: hashOf(spec), spec, needs }
  return { kind: 'present', recorded, outputs, live: null, spares: [] }
}

function plan(
  resources: readonly Resource[],
  world: Record<string, Observed>,
  more: Partial<Rendered> = {},
): Plan {
  const vault = vaultOf(new Map(), new Uint8Array([1]))
  const shared = { problems: [], warnings: [], isIncomplete: false, version: '1', vault }
  const rendered = { ...shared, resources, ...more }
  const allowed = { recreateVolumes: false, pruneVolumes: false }
  return planOf({ rendered, world: new Map(Object.entries(world)), kind, identity, allowed })
}

function sameText(actual: string, expected: readonly string[]): void {
  assert.deepEqual(actual.split('\n'), expected)
}

test('creates, replaces, leaves alone, removes', () => {
  const made = plan([wants('network/a', 1), wants('container/b', 2), wants('container/c', 3)], {
    'container/b': sees(2),
    'container/c': sees(4),
    'container/d': sees(5, [need('network/e')]),
    'network/e': sees(6),
    'volume/f': sees(7),
  })
  sameText(planText(made), [
    'create network/a: it does not exist',
    'replace container/c: spec changed',
    '  spec: 4 → 3',
    'delete container/d: no longer declared',
    '  finish remove',
    'delete network/e: no longer declared',
    '  finish remove after container/d',
    'keep volume/f: volumes hold data',
    'unchanged container/b',
  ])
})

test('an invalid resource is left as it is with what it was recorded to need, and its dependents wait', () => {
  const problem = { type: 'validation', code: 'bad_value', message: 'bad' } as const
  const bad = { ...wants('container/a', 1), problems: [problem] }
  const made = plan(
    [bad, wants('container/b', 9, [need('container/a')]), wants('container/c', 1)],
    {
      'container/a': sees(0, [need('network/old')]),
      'container/b': sees(2),
      'network/old': sees(1),
    },
  )
  sameText(planText(made), [
    'create container/c: it does not exist',
    'skip container/a: bad',
    'skip container/b: needs container/a, which is left as it is',
    'keep network/old: container/a, which is left as it is, needs it',
  ])
})

test('what may have been renamed stays while its new self can not be made', () => {
  const problem = { type: 'validation', code: 'bad_value', message: 'bad' } as const
  const renamed = { ...wants('container/new', 1), problems: [problem] }
  const world = { 'container/old': sees(1, [need('network/n')]), 'network/n': sees(1) }
  sameText(planText(plan([renamed], world)), [
    'skip container/new: bad',
    "keep container/old: container/new, which may replace it, can't be made",
    "keep network/n: container/new, which may replace it, can't be made",
  ])
})

test('on unknown nothing is created, changed or removed', () => {
  const unknown = { kind: 'unknown', why: 'no answer' } as const
  const made = plan([wants('container/a', 1), wants('container/b', 1, [need('container/a')])], {
    'container/a': unknown,
    'container/b': sees(2),
    'container/old': unknown,
    'network/old': sees(1),
  })
  assert.deepEqual(made.groups, [])
  assert.equal(made.skipped.length, 2)
  assert.equal(made.warnings.length, 1)
})

test('a document without a readable name stops all pruning', () => {
  const made = plan([wants('container/a', 1)], { 'container/b': sees(1) }, { isIncomplete: true })
  assert.deepEqual(
    made.groups.map(({ step }) => step),
    ['create'],
  )
})

test('what draws on a replaced one is replaced too, and what draws on a kept one sees its output', () => {
  const container = wants('container/b', { secret: { from: 'secret/a', output: 'object' } }, [
    need('secret/a', true),
  ])
  const seen = sees({ secret: 'a-1' }, [need('secret/a')])
  const kept = plan([wants('secret/a', 1), container], {
    'secret/a': sees(1, [], { object: 'a-1' }),
    'container/b': seen,
  })
  assert.deepEqual(kept.unchanged, ['secret/a', 'container/b'])
  const replaced = plan([wants('secret/a', 2), container], {
    'secret/a': sees(1, [], { object: 'a-1' }),
    'container/b': seen,
  })
  assert.deepEqual(
    replaced.groups.map(({ ref, step }) => `${step} ${ref}`),
    ['replace secret/a', 'replace container/b'],
  )
})

test('a run killed between secret and container is mended by the next one', () => {
  const container = wants('container/b', { secret: { from: 'secret/a', output: 'object' } }, [
    need('secret/a', true),
  ])
  const made = plan([wants('secret/a', 2), container], {
    'secret/a': sees(2, [], { object: 'a-2' }),
    'container/b': sees({ secret: 'a-1' }, [need('secret/a')]),
  })
  assert.deepEqual(
    made.groups.map(({ ref, step }) => `${step} ${ref}`),
    ['replace container/b'],
  )
})

test('a cycle is an error that prints it', () => {
  assert.throws(
    () => plan([wants('c/a', 1, [need('c/b')]), wants('c/b', 1, [need('c/a')])], {}),
    (thrown) => thrown instanceof Problem && thrown.message.includes('c/a → c/b → c/a'),
  )
})

test('a plan that would remove much stops and says how to go on', () => {
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`c/${n}`, sees(n)]))
  const made = plan([wants('c/0', 0), wants('c/1', 1)], many)
  const counts = { declared: 2, existing: 12 }
  const careful = { allowEmpty: false, allowMassDelete: false }
  assert.throws(
    () => guard(made, counts, application, careful),
    (thrown) =>
      thrown instanceof Problem &&
      thrown.message ===
        'This would remove 10 of 12 resources of app (the new chart declares 2).' &&
      thrown.suggestion === 'if that is meant, add --allow-mass-delete',
  )
  guard(made, counts, application, { ...careful, allowMassDelete: true })
  guard(made, { declared: 2, existing: 20 }, application, careful)
  assert.throws(() => guard(made, { declared: 2, existing: 19 }, application, careful))
  const empty = plan([], { 'c/a': sees(1) })
  const removesAll = (options: GuardOptions) => (): void =>
    guard(empty, { declared: 0, existing: 1 }, application, options)
  assert.throws(removesAll(careful), { suggestion: 'if that is meant, add --allow-empty' })
  assert.throws(removesAll({ ...careful, wayOut: (flag) => `say ${flag}` }), {
    suggestion: 'if that is meant, say allow-empty',
  })
})

test('kept data and what nobody made do not make a first install an upgrade', () => {
  const given = { ...sees(1), isGiven: true } as const
  const first = plan([wants('container/a', 1)], { 'volume/kept': sees(1), 'path/host': given })
  assert.equal(first.isFirst, true)
  assert.equal(plan([wants('container/a', 1)], { 'container/a': sees(1) }).isFirst, false)
})
