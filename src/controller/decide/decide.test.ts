/** What is due, for whatever facts: properties, and the few cases that a person would look up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { backoff, failureAfter, mostTries, stillToCome, type Failure } from './backoff.ts'
import { decide, removalHash, type Facts } from './decide.ts'
import { quiet } from '../../../test/fake/decide-facts.ts'

const hash = fc.constantFrom('a', 'b')
const maybe = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(one, { nil: undefined })

const failures: fc.Arbitrary<Failure> = fc.record({
  hash,
  tries: fc.integer({ min: 1, max: 9 }),
  at: fc.constant(999_000),
  reason: fc.constant('it broke'),
  isRolledBack: fc.boolean(),
  isPassing: fc.boolean(),
  nextTry: fc.integer({ min: 999_000, max: 1_400_000 }),
  epoch: fc.integer({ min: 0, max: 2 }),
})

const anyFacts: fc.Arbitrary<Facts> = fc.record({
  now: fc.constant(1_000_000),
  underWay: maybe(fc.constantFrom('sync' as const, 'removal' as const)),
  isEnabled: fc.boolean(),
  isSuspended: fc.boolean(),
  gone: maybe(
    fc.record({
      isRemoved: fc.boolean(),
      mayRemove: fc.boolean(),
      keptBecause: maybe(fc.constant('kept')),
      isInTrouble: fc.boolean(),
    }),
  ),
  asked: maybe(fc.constantFrom('manual' as const, 'rollback' as const)),
  cause: fc.constantFrom('refresh' as const, 'webhook' as const, 'start-up' as const),
  fault: maybe(fc.constant('x.yaml:1:1: no')),
  desired: maybe(hash),
  unread: maybe(fc.constant('down')),
  synced: maybe(hash),
  isHalfDone: fc.boolean(),
  leftBehind: maybe(hash),
  failure: maybe(failures),
  epoch: fc.integer({ min: 0, max: 2 }),
  engineProblem: maybe(fc.constant('away')),
  drift: maybe(fc.constant('web stopped')),
  repairAt: fc.constantFrom(0, 1_000_500),
  driftPolicy: fc.constantFrom('revert' as const, 'flag' as const, 'ignore' as const),
  flagsEverything: fc.boolean(),
  acknowledged: maybe(hash),
  waitsFor: fc.constantFrom([], ['stack:db']),
  window: fc.boolean().map((isOpen) => () => ({ isOpen, until: undefined })),
})

function always(holds: (facts: Facts, decision: ReturnType<typeof decide>) => void): void {
  fc.assert(
    fc.property(anyFacts, (facts) => holds(facts, decide(facts))),
    { numRuns: 20_000 },
  )
}

test('nothing is begun twice, and nothing of what is suspended', () => {
  always((facts, { run }) => {
    if (facts.underWay !== undefined || facts.isSuspended) assert.equal(run, undefined)
  })
})

test('what is as declared is not run by itself (FR-010, FR-019)', () => {
  always((facts, { run }) => {
    const isQuiet = facts.desired === facts.synced && !facts.isHalfDone && facts.drift === undefined
    if (isQuiet && facts.asked === undefined && facts.gone === undefined)
      assert.equal(run, undefined)
  })
})

test('nothing is changed by itself while sync is switched off, the engine is away, or a window is shut', () => {
  always((facts, { run }) => {
    if (facts.asked !== undefined) return
    if (!facts.isEnabled || facts.engineProblem !== undefined) assert.equal(run, undefined)
    if (!facts.window().isOpen) assert.equal(run, undefined)
  })
})

test('a declaration that can not be read is never applied', () => {
  always((facts, { run }) => {
    if (facts.fault !== undefined) assert.notEqual(run?.work, 'desired')
  })
})

test('what is gone is removed only where nothing keeps it, or by hand', () => {
  always((facts, { run }) => {
    if (run?.work !== 'removal') return
    assert.ok(facts.gone !== undefined && !facts.gone.isRemoved && facts.gone.mayRemove)
    const { keptBecause, isInTrouble } = facts.gone
    const isByHand = facts.asked !== undefined && isInTrouble !== true
    assert.ok(keptBecause === undefined || isByHand)
  })
})

test('what failed before it was to go makes its end wait for nothing, a removal that failed does', () => {
  const gone = { isRemoved: false, mayRemove: true, keptBecause: undefined }
  const failure = { ...sample(), isPassing: true, nextTry: quiet.now + 60_000 }
  const before = decide({ ...quiet, gone, failure })
  assert.equal(before.run?.work, 'removal')
  const again = decide({ ...quiet, gone, failure: { ...failure, hash: removalHash } })
  assert.equal(again.run, undefined)
  assert.equal(again.until, quiet.now + 60_000)
})

test('synced is said only of what is applied and does not drift (FR-003)', () => {
  always((facts, { state }) => {
    if (state !== 'synced') return
    assert.ok(facts.synced !== undefined)
    assert.ok(facts.drift === undefined || facts.driftPolicy === 'ignore')
    assert.equal(facts.engineProblem === undefined || facts.desired === undefined, true)
  })
})

test('what failed for good waits for a new revision, a hand or a change of the runtime (FR-019)', () => {
  always((facts, { run }) => {
    const { failure, asked, gone } = facts
    if (failure === undefined || asked !== undefined || gone !== undefined) return
    const isSame =
      failure.hash === facts.desired && !failure.isPassing && failure.epoch === facts.epoch
    if (isSame && facts.leftBehind !== facts.desired) assert.notEqual(run?.work, 'desired')
  })
})

test('drifted is said of what drifts, or waits for a word, a window or the switch', () => {
  const due = { ...quiet, synced: 'b' }
  assert.equal(decide(due).state, 'syncing')
  assert.equal(decide({ ...due, waitsFor: ['stack:db'] }).state, 'syncing')
  assert.equal(decide({ ...due, synced: undefined }).state, 'missing')
  assert.equal(decide({ ...quiet, drift: 'web stopped' }).state, 'drifted')
})

test('what is left alone says why: sync is off, or a window is closed and until when', () => {
  const opens = Date.UTC(2026, 2, 1, 22)
  const shut = { window: () => ({ isOpen: false, until: opens }) }
  const due = { ...quiet, synced: 'b' }
  const drifting = { ...quiet, drift: 'container/web-1: it has stopped' }
  const gone = { ...quiet, gone: { isRemoved: false, mayRemove: true, keptBecause: undefined } }
  const cases = [
    [
      { ...due, isEnabled: false },
      'drifted',
      'what its source says is not applied: sync is switched off',
    ],
    [
      { ...due, ...shut },
      'drifted',
      'what its source says is not applied: its window is closed until 2026-03-01 22:00 UTC',
    ],
    [
      { ...drifting, isEnabled: false },
      'drifted',
      'container/web-1: it has stopped, and left so: sync is switched off',
    ],
    [
      { ...drifting, ...shut },
      'drifted',
      'container/web-1: it has stopped, and left so: its window is closed until 2026-03-01 22:00 UTC',
    ],
    [
      { ...gone, isEnabled: false },
      'missing',
      'no longer in its source, and left running: sync is switched off',
    ],
    [
      { ...gone, ...shut },
      'missing',
      'no longer in its source, and left running: its window is closed until 2026-03-01 22:00 UTC',
    ],
  ] as const
  for (const [facts, state, reason] of cases) {
    const decision = decide(facts)
    assert.deepEqual([decision.state, decision.reason], [state, reason])
    assert.equal(decision.run, undefined)
    assert.equal(decision.opens, 'window' in facts && facts.isEnabled ? opens : undefined)
  }
  const never = { ...due, window: () => ({ isOpen: false, until: undefined }) }
  assert.match(decide(never).reason, /its window is closed$/)
})

test('a repair that does not hold: failed until it holds, also while it is tried again', () => {
  const failure = {
    ...sample(),
    isPassing: true,
    nextTry: quiet.now + 500,
    provenAt: quiet.now + 900,
  }
  const drift = 'container/web-1: it has stopped (exit code 3)'
  const waiting = decide({ ...quiet, failure, drift })
  assert.deepEqual(
    [waiting.state, waiting.run, waiting.until],
    ['failed', undefined, quiet.now + 500],
  )
  const again = decide({
    ...quiet,
    now: quiet.now + 500,
    failure,
    drift,
    repairAt: quiet.now + 9000,
  })
  assert.deepEqual([again.state, again.run?.trigger], ['failed', 'drift'])
  const repaired = decide({ ...quiet, failure })
  assert.deepEqual([repaired.state, repaired.until], ['failed', quiet.now + 900])
  assert.equal(decide({ ...quiet, now: quiet.now + 900, failure }).state, 'synced')
})

test('whoever waits for a time is decided on again by then, and whoever is due then runs', () => {
  const failure = { ...sample(), isPassing: true, nextTry: quiet.now + 500 }
  const facts = { ...quiet, synced: undefined, failure }
  const before = decide(facts)
  assert.equal(before.state, 'failed')
  assert.equal(before.until, quiet.now + 500)
  assert.deepEqual(decide({ ...facts, now: quiet.now + 500 }).run, {
    work: 'desired',
    trigger: 'refresh',
  })
})

test('a clock that was set back makes nobody wait longer than the longest pause', () => {
  const failure = { ...sample(), isPassing: true, nextTry: quiet.now + 3_600_000 }
  assert.ok(decide({ ...quiet, synced: undefined, failure }).run)
  assert.equal(stillToCome(quiet.now + 1000, quiet.now), quiet.now + 1000)
})

test('pauses double from one second to five minutes, with chance in them', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (count, random) => {
        const pause = backoff(count, random)
        const step = Math.min(1000 * 2 ** (count - 1), 300_000)
        assert.ok(pause >= step / 2 && pause <= step)
      },
    ),
  )
})

test('passing failures are tried five times, others and those that were put back once', () => {
  const around = { now: 5, random: 0, epoch: 0 }
  const problem = { type: 'runtime', code: 'api_error', message: 'x', recoverable: true } as const
  let failure: Failure | undefined
  for (let tries = 1; tries <= mostTries; tries += 1) {
    failure = failureAfter(
      failure,
      'a',
      { outcome: 'failed', isRolledBack: false, problem },
      around,
    )
    assert.equal(failure?.isPassing, tries < mostTries)
  }
  const back = failureAfter(
    undefined,
    'a',
    { outcome: 'failed', isRolledBack: true, problem },
    around,
  )
  assert.equal(back?.isPassing, false)
  const anew = failureAfter(
    failure,
    'b',
    { outcome: 'failed', isRolledBack: false, problem },
    around,
  )
  assert.equal(anew?.tries, 1)
  assert.equal(
    failureAfter(
      failure,
      'a',
      { outcome: 'succeeded', isRolledBack: false, problem: undefined },
      around,
    ),
    undefined,
  )
})

test('what somebody removed while a run was under way is tried again', () => {
  for (const [code, isPassing] of [
    ['not_found', true],
    ['denied', false],
  ] as const) {
    const problem = { type: 'runtime', code, message: 'x' } as const
    const ended = { outcome: 'failed', isRolledBack: false, problem } as const
    const failure = failureAfter(undefined, 'a', ended, { now: 5, random: 0, epoch: 0 })
    assert.equal(failure?.isPassing, isPassing)
  }
})

function sample(): Failure {
  return {
    hash: 'a',
    tries: 1,
    at: 0,
    reason: 'x',
    isRolledBack: false,
    isPassing: false,
    nextTry: 0,
    epoch: 0,
  }
}

test('what another service with our name made of it is left, until something new is wanted or asked for', () => {
  const facts = { ...quiet, drift: 'container/web: another image', rival: 'another service' }
  assert.deepEqual(
    [decide(facts).state, decide(facts).reason, decide(facts).run],
    ['failed', 'another service', undefined],
  )
  assert.equal(decide({ ...facts, fault: 'it can not be read' }).run, undefined)
  assert.equal(decide({ ...facts, desired: 'b' }).run?.work, 'desired')
  assert.equal(decide({ ...facts, asked: 'manual' }).run?.work, 'desired')
  const about = { tries: 1, at: 0, reason: 'not well', nextTry: 0, epoch: 0 }
  const back = { ...about, hash: 'b', isRolledBack: true, isPassing: false }
  assert.equal(decide({ ...facts, desired: 'b', failure: back }).run, undefined)
})
