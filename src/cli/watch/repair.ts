/** One repair of a watched application: what is in force is applied once more, and each thing that was put right is told. */
import { reconcile } from '#engine/reconcile.ts'
import type { Ports } from '#model/connection.ts'
import type { Event } from '#model/event.ts'
import type { Group } from '#model/plan.ts'
import { problemOf } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'
import type { ApplicationRecord } from '#model/store.ts'
import { reapplyRequest } from '../application/reapply.ts'
import type { Flags } from '../arguments/invocation.ts'
import type { CommandContext, Memory } from '../session.ts'
import { tellRepair } from './tell-repair.ts'

export type Repaired = {
  /** Undefined: all is as applied. */
  readonly drift: string | undefined
  /** What went wrong, in the order in which it did. */
  readonly problems: readonly string[]
  readonly isWell: boolean
}

/** Started, not waited for: a slow start must not hold up the next repair. */
export async function repair(
  record: ApplicationRecord,
  flags: Flags,
  context: CommandContext,
  memory: Memory,
  { kind, target }: Ports,
): Promise<Repaired> {
  const { session, signal } = context
  const quick = { ...flags, waits: false, isAtomic: false }
  const problems: string[] = []
  let drift: string | undefined
  let isWell = true
  try {
    const request = await reapplyRequest(record, 'drift', quick, context, memory)
    if (request === undefined) return { drift, problems, isWell }
    const { store, leases } = memory
    const parts = { kind, target, clock: session.clock, store, leases }
    const groups = new Map<Ref, Group>()
    for await (const event of reconcile(request, parts, signal)) {
      if (event.type === 'planned') {
        for (const group of event.plan.groups) groups.set(group.ref, group)
        const [first] = event.plan.groups
        drift = first && `${first.ref}: ${first.cause}`
      }
      if (event.type === 'ended') isWell = event.outcome !== 'failed'
      if (event.type === 'problem' && event.problem.code !== 'interrupted')
        problems.push(event.problem.message)
      tell(event, groups, record, context)
    }
  } catch (thrown) {
    problems.push(problemOf(thrown).message)
    isWell = false
  }
  return { drift, problems, isWell }
}

function tell(
  event: Event,
  groups: ReadonlyMap<Ref, Group>,
  { application }: ApplicationRecord,
  { screen }: CommandContext,
): void {
  if (event.type !== 'group' || !['passed', 'failed', 'done'].includes(event.phase)) return
  if (event.phase === 'done' && event.step !== 'delete') return
  tellRepair(screen, application, {
    at: event.at,
    ref: event.ref,
    action: event.step,
    cause: groups.get(event.ref)?.cause ?? '',
    milliseconds: event.milliseconds,
    problem: event.phase === 'failed' ? (event.problem ?? unexplained) : undefined,
  })
}

const unexplained = { type: 'runtime', code: 'bug', message: 'skipped' } as const
