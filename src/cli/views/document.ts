/** A run as one document, for `-o json` and `-o yaml`. Its shape is a promise: docs/commands.md has it. */
import { kindNamed, usualKind } from '#kinds/all.ts'
import type { Json, JsonRecord } from '#model/json.ts'
import type { Change } from '#model/plan.ts'
import type { ProblemFacts } from '#model/problem.ts'
import { kindOf, nameOf, type Ref } from '#model/ref.ts'
import { suggestionsOf } from './problems.ts'
import type { GroupSummary, RunSummary } from './run-summary.ts'
import { hidden, looksSecret } from './labels.ts'

export function runDocument(summary: RunSummary, kind = usualKind.name): JsonRecord {
  const { application, ended } = summary
  const failures = [
    ...summary.problems,
    ...(summary.plan?.skipped ?? []).flatMap(({ problem }) => isNew(problem, summary)),
    ...summary.groups.flatMap(({ problem }) => problem ?? []),
  ]
  return {
    [application?.kind ?? kind]: application?.name ?? null,
    version: summary.rendered?.version ?? null,
    namespace: application?.namespace ?? null,
    engine: summary.engine ?? null,
    run: summary.run ?? null,
    dryRun: summary.isDryRun,
    status: statusOf(summary),
    rolledBackTo: ended?.rolledBackTo ?? null,
    durationMs: Math.round(ended?.milliseconds ?? 0),
    summary: { ...empty, ...ended?.summary },
    resources: resourcesOf(summary),
    errors: failures.map((problem) => errorOf(problem, summary, kind)),
    warnings: [...summary.warnings],
  }
}

/** The document of a command that ended before there was anything to show: wrong usage, nothing of that name. */
export function failureDocument(
  problems: readonly ProblemFacts[],
  status = 'refused',
  kind = usualKind.name,
): JsonRecord {
  const summary: RunSummary = {
    application: undefined,
    isDryRun: false,
    run: undefined,
    rendered: undefined,
    problems,
    warnings: [],
    plan: undefined,
    groups: [],
    ended: undefined,
  }
  return { ...runDocument(summary, kind), status }
}

const empty = { created: 0, updated: 0, deleted: 0, unchanged: 0, failed: 0, skipped: 0 }

function statusOf(summary: RunSummary): string {
  const { ended } = summary
  if (ended === undefined) return 'failed'
  const hasErrors = ended.summary.failed + ended.summary.skipped > 0
  return ended.outcome === 'succeeded' && hasErrors ? 'failed' : ended.outcome
}

function isNew(problem: ProblemFacts, summary: RunSummary): readonly ProblemFacts[] {
  return summary.problems.some(({ ref }) => ref !== undefined && ref === problem.ref)
    ? []
    : [problem]
}

function resourcesOf(summary: RunSummary): readonly Json[] {
  const { plan } = summary
  return [
    ...summary.groups.map((told) => ({
      ...named(told.group.ref),
      action: told.group.step,
      outcome: outcomeOf(told, summary),
      cause: told.group.cause,
      durationMs: told.milliseconds === undefined ? null : Math.round(told.milliseconds),
      changes: told.group.changes.map(changeOf),
    })),
    ...(plan?.unchanged ?? []).map((ref) => still(ref, 'unchanged', null)),
    ...(plan?.skipped ?? []).map(({ ref, problem }) => still(ref, 'skipped', problem.message)),
    ...(plan?.kept ?? []).map(({ ref, why }) => still(ref, 'kept', why)),
  ]
}

function still(ref: Ref, outcome: string, cause: string | null): JsonRecord {
  return { ...named(ref), action: 'none', outcome, cause, durationMs: null, changes: [] }
}

function outcomeOf(told: GroupSummary, summary: RunSummary): string {
  if (summary.isDryRun) return 'planned'
  switch (told.phase) {
    case 'failed':
    case 'skipped':
      return told.phase
    case 'passed':
    case 'done':
      return told.isUndone ? 'undone' : 'succeeded'
    case 'began':
    case 'waiting':
      return told.isUndone ? 'undone' : 'unfinished'
    case 'undone':
      return 'undone'
    case undefined:
      return 'unfinished'
  }
}

function changeOf(change: Change): JsonRecord {
  const isHidden = looksSecret(change.path)
  return {
    path: change.path,
    from: isHidden ? hidden : change.from,
    to: isHidden ? hidden : change.to,
  }
}

/** The requirement of charts calls what comes from the runtime `podman_api`. */
function errorOf(problem: ProblemFacts, summary: RunSummary, kind: string): JsonRecord {
  const { cause, at } = problem
  const suggestions = suggestionsOf(problem, summary.application, summary.run)
  const { runtimeProblem = 'runtime' } = kindNamed(summary.application?.kind ?? kind).words
  return {
    type: problem.type === 'runtime' ? runtimeProblem : problem.type,
    code: problem.code,
    resource: problem.ref === undefined ? null : named(problem.ref),
    at: at === undefined ? null : { file: at.file, line: at.line, column: at.column },
    message: problem.message,
    cause: cause instanceof Error ? cause.message : typeof cause === 'string' ? cause : null,
    recoverable: problem.recoverable ?? false,
    suggestion: suggestions.length === 0 ? null : suggestions.join('; '),
  }
}

function named(ref: Ref): JsonRecord {
  return { kind: kindOf(ref), name: nameOf(ref) }
}
