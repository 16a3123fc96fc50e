/** A run as one document, for `-o json` and `-o yaml`. Its shape is a promise: docs/commands.md has it. */
import type { Json, JsonRecord } from '#model/json.ts'
import type { Change } from '#model/plan.ts'
import type { ProblemFacts } from '#model/problem.ts'
import { kindOf, nameOf, type Ref } from '#model/ref.ts'
import { suggestionsOf } from './problems.ts'
import type { GroupStory, Story } from './story.ts'
import { hidden, looksSecret } from './words.ts'

export function runDocument(story: Story): JsonRecord {
  const { application, ended } = story
  const failures = [
    ...story.problems,
    ...(story.plan?.skipped ?? []).flatMap(({ problem }) => isNew(problem, story)),
    ...story.groups.flatMap(({ problem }) => problem ?? []),
  ]
  return {
    [application?.kind ?? 'chart']: application?.name ?? null,
    version: story.rendered?.version ?? null,
    namespace: application?.namespace ?? null,
    engine: story.engine ?? null,
    run: story.run ?? null,
    dryRun: story.isDryRun,
    status: statusOf(story),
    rolledBackTo: ended?.rolledBackTo ?? null,
    durationMs: Math.round(ended?.milliseconds ?? 0),
    summary: { ...empty, ...ended?.summary },
    resources: resourcesOf(story),
    errors: failures.map((problem) => errorOf(problem, story)),
    warnings: [...story.warnings],
  }
}

/** Of a command that ended before there was anything to tell: wrong usage, nothing of that name. */
export function failureDocument(
  problems: readonly ProblemFacts[],
  status = 'refused',
  kind: 'chart' | 'stack' = 'chart',
): JsonRecord {
  const story: Story = {
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
  const { chart: _, ...rest } = runDocument(story)
  return { [kind]: null, ...rest, status }
}

const empty = { created: 0, updated: 0, deleted: 0, unchanged: 0, failed: 0, skipped: 0 }

function statusOf(story: Story): string {
  const { ended } = story
  if (ended === undefined) return 'failed'
  const hasErrors = ended.summary.failed + ended.summary.skipped > 0
  return ended.outcome === 'succeeded' && hasErrors ? 'failed' : ended.outcome
}

function isNew(problem: ProblemFacts, story: Story): readonly ProblemFacts[] {
  return story.problems.some(({ ref }) => ref !== undefined && ref === problem.ref) ? [] : [problem]
}

function resourcesOf(story: Story): readonly Json[] {
  const { plan } = story
  return [
    ...story.groups.map((told) => ({
      ...named(told.group.ref),
      action: told.group.step,
      outcome: outcomeOf(told, story),
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

function outcomeOf(told: GroupStory, story: Story): string {
  if (story.isDryRun) return 'planned'
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
function errorOf(problem: ProblemFacts, story: Story): JsonRecord {
  const { cause, at } = problem
  const suggestions = suggestionsOf(problem, story.application, story.run)
  const isStack = story.application?.kind === 'stack'
  return {
    type: problem.type === 'runtime' && !isStack ? 'podman_api' : problem.type,
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
