/** Holds what happened against what a scenario expects; and what holds for every scenario. */
import assert from 'node:assert/strict'
import type { Event } from '#model/event.ts'
import { shown, type Plan } from '#model/plan.ts'
import { placeText, type ProblemFacts } from '#model/problem.ts'
import { endOf } from '../fake/run.ts'
import { filled, type Played, type Stage } from './play.ts'
import type { ExpectedError, Scenario } from './scenario.ts'
import type { Sight } from './sight.ts'

export function judge({ expected, desired }: Scenario, played: Played, stage: Stage): void {
  const { events, before, after } = played
  const plan = planOf(events)
  const problems = problemsOf(events)
  const told = problems.map(problemLine)
  same('actions', linesOf(plan), expected.actions, fitsAction)
  same('errors', told, (expected.errors ?? []).map(errorLine), (actual, wanted) => {
    const error = (expected.errors ?? []).find((one) => errorLine(one) === wanted)!
    return fitsError(problems[told.indexOf(actual)]!, error, stage)
  })
  const end = endOf(events)
  assert.equal(end.outcome, expected.outcome, told.join('\n'))
  assert.equal(end.isRolledBack, expected.isRolledBack ?? false, 'rolled back')
  if (expected.changes !== undefined) {
    const changes = expected.changes.map((line) => filled(line, stage))
    same('changes', changesOf(plan), changes, (actual, wanted) => actual === wanted)
  }
  if (expected.warnings !== undefined) {
    same('warnings', warningsOf(events), expected.warnings, (one, part) => one.includes(part))
  }
  for (const line of expected.order ?? []) assertOrder(events, line)
  for (const ref of expected.untouched ?? []) {
    const [was, is] = [lifeOf(before, ref), lifeOf(after, ref)]
    assert.notEqual(was, '', `${ref} was not there before`)
    assert.equal(is, was, `${ref} is not the same as before`)
  }
  if (expected.state !== undefined) {
    same('state', linesIn(after), expected.state, (actual, wanted) => actual === wanted)
  }
  always(played, plan, desired.namespace)
}

/** Without a word of the scenario: labels, new objects for what was replaced, nothing left to do. */
function always(
  { events, before, after, again }: Played,
  plan: Plan | undefined,
  namespace: string | undefined,
): void {
  const requirement = ['cutepod.io/chart', 'cutepod.io/version', 'cutepod.io/managed-by']
  const ours = ['tend/owner', 'tend/ref', 'tend/spec', 'tend/hash', 'tend/needs']
  for (const { ref, labels } of after) {
    if (labels['tend/owner'] === undefined) continue
    for (const name of [...requirement, ...ours]) assert.ok(labels[name], `${ref} has no ${name}`)
  }
  const { outcome, isRolledBack } = endOf(events)
  if (outcome === 'refused' || isRolledBack) assert.deepEqual(linesIn(after), linesIn(before))
  if (outcome === 'succeeded') {
    for (const { ref, step } of plan?.groups ?? []) {
      if (step !== 'replace' || !ref.startsWith('container/')) continue
      const object = namespace === undefined ? ref : ref.replace('/', `/${namespace}-`)
      assert.notEqual(lifeOf(after, object), lifeOf(before, object), `${ref} was not replaced`)
    }
  }
  if (outcome === 'succeeded' || isRolledBack) {
    const left = linesOf(planOf(again)).filter((line) => !/^(unchanged|keep) /.test(line))
    assert.deepEqual(left, [], 'a second run would find something to do')
  }
}

function planOf(events: readonly Event[]): Plan | undefined {
  return events.find((event) => event.type === 'planned')?.plan
}

function linesOf(plan: Plan | undefined): readonly string[] {
  if (plan === undefined) return []
  return [
    ...plan.groups.map(({ step, ref, cause }) => `${step} ${ref}: ${cause}`),
    ...plan.skipped.map(({ ref, problem }) => `skip ${ref}: ${problem.message}`),
    ...plan.kept.map(({ ref, why }) => `keep ${ref}: ${why}`),
    ...plan.unchanged.map((ref) => `unchanged ${ref}`),
  ]
}

function changesOf(plan: Plan | undefined): readonly string[] {
  return (plan?.groups ?? []).flatMap(({ ref, changes }) =>
    changes.map(({ path, from, to }) => `${ref} ${path}: ${shown(from)} → ${shown(to)}`),
  )
}

function warningsOf(events: readonly Event[]): readonly string[] {
  return events.flatMap((event) => {
    if (event.type === 'warning') return [event.text]
    return event.type === 'rendered' ? event.warnings : []
  })
}

/** `replace container/web` is any replacement; words behind a colon are a part of the cause. */
function fitsAction(actual: string, wanted: string): boolean {
  const [step, ref, ...cause] = wanted.split(' ')
  if (ref?.endsWith(':') !== true) return `${actual}:`.startsWith(`${wanted}:`)
  const start = `${step} ${ref} `
  return actual.startsWith(start) && actual.slice(start.length).includes(cause.join(' '))
}

/** Those of the input, of the plan and of the run, each once. */
function problemsOf(events: readonly Event[]): readonly ProblemFacts[] {
  const all = events.flatMap((event): readonly ProblemFacts[] => {
    if (event.type === 'planned') return event.plan.skipped.map(({ problem }) => problem)
    const isTold = event.type === 'problem' || event.type === 'group'
    return isTold && event.problem !== undefined ? [event.problem] : []
  })
  return [...new Map(all.map((problem) => [problemLine(problem), problem])).values()]
}

function problemLine({ type, code, ref = '-', message, at }: ProblemFacts): string {
  const place = at === undefined ? '-' : placeText(at)
  return `${typeWord(type)} ${code} ${ref} ${place} ${message}`
}

function errorLine({ type, code, ref = '-', message, at = '-' }: ExpectedError): string {
  return `${type} ${code} ${ref} ${at} ${message}`
}

/** The charts' output calls it so, as its requirement does. */
function typeWord(type: ProblemFacts['type']): string {
  return type === 'runtime' ? 'podman_api' : type
}

function fitsError(problem: ProblemFacts, error: ExpectedError, stage: Stage): boolean {
  if (typeWord(problem.type) !== error.type || problem.code !== error.code) return false
  if (error.ref !== undefined && problem.ref !== error.ref) return false
  if (!problem.message.includes(filled(error.message, stage))) return false
  const { at } = problem
  if (error.at !== undefined && (at === undefined || `${at.file}:${at.line}` !== error.at)) {
    return false
  }
  return (problem.suggestion ?? '').includes(filled(error.suggestion ?? '', stage))
}

function assertOrder(events: readonly Event[], line: string): void {
  const [first = '', later = ''] = line.split(' before ')
  const calls = [...events.entries()].flatMap(([at, event]) =>
    event.type === 'operation' && event.part !== 'prepare' ? [{ at, event }] : [],
  )
  const ends = calls.filter(({ event }) => event.ref === first && event.phase === 'done')
  const begins = calls.filter(({ event }) => event.ref === later && event.phase === 'began')
  assert.ok(ends.length > 0 && begins.length > 0, `${line}: nothing was done to one of them`)
  const isInOrder = Math.max(...ends.map(({ at }) => at)) < begins[0]!.at
  assert.ok(isInOrder, `not so: ${line}`)
}

function lifeOf(sight: Sight, ref: string): string {
  const found = sight.filter((thing) => thing.ref === ref)
  return found.map(({ life }) => life).join(' ')
}

function linesIn(sight: Sight): readonly string[] {
  return sight.map(({ line }) => line).toSorted()
}

/** Each of the one fits one of the other, and none is left over. */
function same(
  what: string,
  actual: readonly string[],
  wanted: readonly string[],
  fits: (actual: string, wanted: string) => boolean,
): void {
  const left = [...actual]
  const missing = wanted.filter((line) => {
    const at = left.findIndex((one) => fits(one, line))
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
  if (left.length === 0 && missing.length === 0) return
  const lines = [...missing.map((line) => `- ${line}`), ...left.map((line) => `+ ${line}`)]
  assert.fail(`${what}: expected (-), found (+)\n${lines.join('\n')}`)
}
