/** Plans of what the sources have at this moment, and what a sync says to be of exactly that. */
import type { SharedPlan } from '#model/api.ts'
import type { Json } from '#model/json.ts'
import type { Plan } from '#model/plan.ts'
import { api, type PlanHow } from '../../api/client.ts'

export type PlannedApp = SharedPlan['apps'][number]

/** The service plans no more of them at once. */
const most = 100

export async function planNow(
  keys: readonly string[],
  how: PlanHow,
  signal: AbortSignal,
): Promise<readonly PlannedApp[]> {
  const apps: PlannedApp[] = []
  for (let first = 0; first < keys.length; first += most) {
    const some = keys.slice(first, first + most)
    const made = await api.makePlan(some, { ...how, fresh: true }, signal)
    apps.push(...made.apps)
  }
  return apps
}

/** What a sync has to be of to do what the plan says; nothing where the plan does not tell. */
export function expectedBy({
  revision,
  hash,
}: Pick<PlannedApp, 'revision' | 'hash'>): Readonly<Record<string, Json>> {
  return hash === undefined ? {} : { revision, hash }
}

export function removedBy(plan: Plan | undefined): number {
  return plan?.groups.filter(({ step }) => step === 'delete').length ?? 0
}

/** All of them as one, to be counted. */
export function together(
  apps: readonly PlannedApp[],
): Pick<Plan, 'groups' | 'unchanged' | 'skipped'> {
  const plans = apps.flatMap(({ plan }) => plan ?? [])
  return {
    groups: plans.flatMap(({ groups }) => groups),
    unchanged: plans.flatMap(({ unchanged }) => unchanged),
    skipped: plans.flatMap(({ skipped }) => skipped),
  }
}
