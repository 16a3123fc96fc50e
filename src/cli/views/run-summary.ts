/** The summary of a stream of events, from which every final view of a run is made. */
import type { Application } from '#model/application.ts'
import type { Event, EventOf } from '#model/event.ts'
import type { Change, Group, Plan } from '#model/plan.ts'
import type { ProblemFacts } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'
import { hidden, looksSecret } from './labels.ts'

export type GroupSummary = {
  readonly group: Group
  /** Undefined: the run ended before its turn came. */
  readonly phase: EventOf<'group'>['phase'] | undefined
  readonly problem: ProblemFacts | undefined
  readonly milliseconds: number | undefined
  readonly isUndone: boolean
  /** For how long it did not serve before it was put back, ms. */
  readonly gap: number | undefined
}

export type RunSummary = {
  readonly application: Application | undefined
  readonly isDryRun: boolean
  /** The address of the engine, where one is known. */
  readonly engine?: string | undefined
  readonly run: number | undefined
  readonly rendered: EventOf<'rendered'> | undefined
  readonly problems: readonly ProblemFacts[]
  readonly warnings: readonly string[]
  readonly plan: Plan | undefined
  /** In the order in which they were declared; what is no longer declared comes last. */
  readonly groups: readonly GroupSummary[]
  readonly ended: EventOf<'ended'> | undefined
}

export function runSummaryOf(events: readonly Event[]): RunSummary {
  const started = last(events, 'started')
  const rendered = last(events, 'rendered')
  const plan = last(events, 'planned')?.plan
  return {
    application: started?.application,
    isDryRun: started?.isDryRun ?? false,
    run: last(events, 'opened')?.run,
    rendered,
    problems: all(events, 'problem').map((event) => event.problem),
    warnings: warningsOf(events, rendered, plan),
    plan,
    groups: groupsOf(events, rendered, plan),
    ended: last(events, 'ended'),
  }
}

/** Positions of refs in the order in which they were declared. */
function declarationOrder(
  rendered: EventOf<'rendered'> | undefined,
): (left: Ref, right: Ref) => number {
  const places = new Map(rendered?.resources.map(({ ref }, index) => [ref, index]))
  return (left, right) => (places.get(left) ?? Infinity) - (places.get(right) ?? Infinity) || 0
}

/** A longer text says less than nothing on a line of its own. */
const longest = 60

/** The image that ran before or, where it is the same, the first few fields as they were. */
export function formerly(changes: readonly Change[], show: (change: Change) => string): string {
  const image = changes.filter((change) => change.path === 'image')
  const chosen = image.length > 0 ? image : changes.slice(0, 2)
  const told = chosen.filter(
    ({ path, from }) => from !== null && from !== hidden && !looksSecret(path),
  )
  const short = told.map(show).filter((text) => text.length <= longest)
  return short.length === 0 ? '' : ` (${short.join(', ')})`
}

function groupsOf(
  events: readonly Event[],
  rendered: EventOf<'rendered'> | undefined,
  plan: Plan | undefined,
): readonly GroupSummary[] {
  const told = new Map<Ref, EventOf<'group'>[]>()
  for (const event of all(events, 'group')) {
    const known = told.get(event.ref)
    if (known === undefined) told.set(event.ref, [event])
    else known.push(event)
  }
  const order = declarationOrder(rendered)
  const groups = plan?.groups.toSorted((left, right) => order(left.ref, right.ref)) ?? []
  return groups.map((group) => groupSummary(group, told.get(group.ref) ?? []))
}

function groupSummary(group: Group, told: readonly EventOf<'group'>[]): GroupSummary {
  const undone = told.find((event) => event.phase === 'undone')
  const own = told.filter((event) => event.phase !== 'undone')
  return {
    group,
    phase: own.at(-1)?.phase,
    problem: own.findLast((event) => event.problem !== undefined)?.problem,
    milliseconds: own.find((event) => event.milliseconds !== undefined)?.milliseconds,
    isUndone: undone !== undefined && undone.problem === undefined,
    gap: undone?.gap,
  }
}

/** The same warning may come with the render, with the plan and with the run. It is shown once. */
function warningsOf(
  events: readonly Event[],
  rendered: EventOf<'rendered'> | undefined,
  plan: Plan | undefined,
): readonly string[] {
  const texts = all(events, 'warning').map((event) => event.text)
  return [...new Set([...(rendered?.warnings ?? []), ...(plan?.warnings ?? []), ...texts])]
}

function all<Type extends Event['type']>(
  events: readonly Event[],
  type: Type,
): readonly EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => event.type === type)
}

function last<Type extends Event['type']>(
  events: readonly Event[],
  type: Type,
): EventOf<Type> | undefined {
  return all(events, type).at(-1)
}
