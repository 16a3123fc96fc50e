/** Hand-made events for tests of views: short to write, complete in type. */
import type { Event, EventOf, Summary } from '#model/event.ts'
import type { Group, Operation, Plan, Step } from '#model/plan.ts'
import type { ProblemFacts } from '#model/problem.ts'
import { kindOf, nameOf, type Ref } from '#model/ref.ts'

/** The moment at which all hand-made runs begin: 12:34:56 on some day. */
export const noon = Date.UTC(2026, 10, 15, 12, 34, 56)

export function utcTime(at: number): string {
  return new Date(at).toISOString().slice(11, 19)
}

export function started(name = 'my-app', isDryRun = false, namespace: string | null = null): Event {
  const application = { kind: 'chart', namespace, name } as const
  return { at: noon, type: 'started', application, trigger: 'manual', isDryRun }
}

/** Refs, each with those it needs: `rendered({ 'container/web': ['network/a'] })`. */
export function rendered(
  resources: Readonly<Record<Ref, readonly Ref[]>>,
  version = '1.2.3',
): EventOf<'rendered'> {
  return {
    at: noon,
    type: 'rendered',
    version,
    resources: Object.entries(resources).map(([ref, needs]) => ({
      ref,
      needs: needs.map((need) => ({ ref: need, until: 'exists', renew: false })),
    })),
    warnings: [],
  }
}

export function group(ref: Ref, step: Step, more: Partial<Group> = {}): Group {
  return {
    ref,
    step,
    cause: 'is not there',
    changes: [],
    needs: [],
    prepare: [],
    make: [],
    gate: 'none',
    subject: null,
    undo: [],
    finish: [],
    ...more,
  }
}

export function planned(groups: readonly Group[], more: Partial<Plan> = {}): Event {
  const plan: Plan = {
    groups,
    unchanged: [],
    skipped: [],
    kept: [],
    warnings: [],
    isFirst: false,
    ...more,
  }
  return { at: noon, type: 'planned', plan }
}

export function passed(ref: Ref, step: Step, milliseconds = 1000, at = noon): readonly Event[] {
  return [
    { at, type: 'group', ref, step, phase: 'began' },
    { at: at + milliseconds, type: 'group', ref, step, phase: 'passed', milliseconds },
  ]
}

export function failed(ref: Ref, step: Step, facts: Partial<ProblemFacts>): Event {
  const problem: ProblemFacts = { type: 'runtime', code: 'api_error', message: '?', ref, ...facts }
  return { at: noon, type: 'group', ref, step, phase: 'failed', milliseconds: 2100, problem }
}

export function skipped(ref: Ref, step: Step, message: string): Event {
  const problem: ProblemFacts = { type: 'dependency', code: 'needs_failed', message, ref }
  return { at: noon, type: 'group', ref, step, phase: 'skipped', problem }
}

export function undone(ref: Ref, step: Step, gap?: number): Event {
  return {
    at: noon,
    type: 'group',
    ref,
    step,
    phase: 'undone',
    ...(gap === undefined ? {} : { gap }),
  }
}

export function problem(facts: Partial<ProblemFacts>): Event {
  return {
    at: noon,
    type: 'problem',
    problem: { type: 'validation', code: 'unknown_field', message: '?', ...facts },
  }
}

export function operation(ref: Ref, at: number, command: string): Event {
  const words = `Creating ${kindOf(ref)} ${nameOf(ref)}`
  const own = { ref, id: 'create', part: 'make', phase: 'began', attempt: 1 } as const
  return { at, type: 'operation', ...own, words, command }
}

export function call(id: string): Operation {
  return { id, verb: id, payload: null, after: [], words: id, disrupts: false }
}

export function ended(summary: Partial<Summary>, more: Partial<EventOf<'ended'>> = {}): Event {
  return {
    at: noon,
    type: 'ended',
    outcome: 'succeeded',
    isRolledBack: false,
    milliseconds: 100,
    summary: {
      created: 0,
      updated: 0,
      deleted: 0,
      unchanged: 0,
      failed: 0,
      skipped: 0,
      ...summary,
    },
    ...more,
  }
}

const image = {
  path: 'image',
  from: 'registry.example.org/web:1.4.2',
  to: 'registry.example.org/web:1.5.0',
}

/** A failed upgrade that was put back: what the requirement's second page shows as text and as a document. */
export const wentBack: readonly Event[] = [
  started(),
  { at: noon, type: 'opened', run: 14 },
  rendered({ 'container/web-server': [], 'container/worker': ['container/web-server'] }),
  planned([
    group('container/web-server', 'replace', { changes: [image], finish: [call('remove')] }),
    group('container/worker', 'update'),
  ]),
  failed('container/web-server', 'replace', {
    code: 'unhealthy',
    message: 'not healthy after 30.0s: GET /health answered 500',
    details: ['starting', 'Error: column "plan" does not exist', ''],
  }),
  skipped('container/worker', 'update', 'needs container/web-server, which failed'),
  undone('container/web-server', 'replace', 2100),
  ended(
    { failed: 1, skipped: 1, unchanged: 7 },
    { outcome: 'failed', isRolledBack: true, rolledBackTo: 13 },
  ),
]
