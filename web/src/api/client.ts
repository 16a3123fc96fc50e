/** Every route that the page uses, with the type of its answer. */
import type {
  AppDetail,
  Graph,
  Overview,
  OverviewQuery,
  ResourceDetail,
  RunPage,
  SharedPlan,
  SourceRow,
  TargetRow,
  Timeline,
} from '#model/api.ts'
import type { FleetDetail } from '#model/api-fleets.ts'
import type { Event } from '#model/event.ts'
import type { Json } from '#model/json.ts'
import type { RowRemoval } from '#model/rows.ts'
import type { Plan } from '#model/plan.ts'
import type { RunRecord } from '#model/store.ts'
import { queryText, type Query } from './query.ts'
import { ask, get, send } from './request.ts'

export type Me = {
  readonly kind: string
  readonly name: string
  readonly role: 'read' | 'sync' | 'admin'
  readonly apps?: readonly string[]
  readonly login?: string
  readonly instance?: string
  readonly projectName?: string
}

export type PlanHow = {
  readonly fresh?: boolean
  readonly adopt?: boolean
  readonly prune?: boolean
}

export type RunDetail = { readonly run: RunRecord; readonly events: readonly Event[] }

const base = '/api/v1'

export function appPath(key: string): string {
  return `${base}/apps/${encodeURIComponent(key)}`
}

export const api = {
  me: () => get<Me>(`${base}/me`),
  loginWays: () => get<{ readonly provider?: string }>(`${base}/session`),
  login: (token: string) => ask<Me>('POST', `${base}/session`, { token }),
  loginWithCode: (code: string) => ask<Me>('POST', `${base}/session`, { code }),
  logout: () => send('DELETE', `${base}/session`),

  overview: (query: OverviewQuery, signal?: AbortSignal) =>
    get<Overview>(`${base}/overview${queryText(query)}`, signal),
  app: (key: string, signal?: AbortSignal) => get<AppDetail>(`${appPath(key)}/detail`, signal),
  graph: (key: string, signal?: AbortSignal) => get<Graph>(`${appPath(key)}/graph`, signal),
  resource: (key: string, ref: string, signal?: AbortSignal) =>
    get<ResourceDetail>(`${appPath(key)}/resources/${encodeURIComponent(ref)}`, signal),
  plan: (key: string, run?: number | 'before', signal?: AbortSignal) =>
    get<Plan>(`${appPath(key)}/plan${queryText({ run })}`, signal),
  /** `fresh`: the sources are asked first, which takes the right to change. */
  makePlan: (apps: readonly string[], how: PlanHow = {}, signal?: AbortSignal) =>
    ask<SharedPlan>('POST', `${base}/plans`, { apps, ...how }, signal),
  sharedPlan: (id: string, signal?: AbortSignal) =>
    get<SharedPlan>(`${base}/plans/${encodeURIComponent(id)}`, signal),
  runs: (query: Query, signal?: AbortSignal) =>
    get<RunPage>(`${base}/runs${queryText(query)}`, signal),
  run: (key: string, number: number, signal?: AbortSignal) =>
    get<RunDetail>(`${appPath(key)}/runs/${number}`, signal),
  timeline: (query: Query, signal?: AbortSignal) =>
    get<Timeline>(`${base}/timeline${queryText(query)}`, signal),
  sources: (signal?: AbortSignal) => get<readonly SourceRow[]>(`${base}/sources`, signal),
  refreshSource: (id: string) =>
    ask<unknown>('POST', `${base}/sources/${encodeURIComponent(id)}/refresh`),
  refreshAll: () => ask<unknown>('POST', `${base}/refresh`),
  targets: (signal?: AbortSignal) => get<readonly TargetRow[]>(`${base}/targets`, signal),
  fleet: (name: string, signal?: AbortSignal) =>
    get<FleetDetail>(`${base}/fleets/${encodeURIComponent(name)}`, signal),
  /** `isNew`: one that is there is left as it is, and refused. */
  putCluster: (fleet: string, name: string, row: Readonly<Record<string, Json>>, isNew: boolean) =>
    ask<unknown>('PUT', `${clusterPath(fleet, name)}${isNew ? '?new=true' : ''}`, row),
  removeCluster: (fleet: string, name: string) =>
    ask<RowRemoval>('DELETE', clusterPath(fleet, name)),
  /** sync, suspend, resume, acknowledge, adopt, restart, rollback, prune, forget. */
  act: (key: string, action: string, body?: Readonly<Record<string, Json>>) =>
    ask<unknown>('POST', `${appPath(key)}/${action}`, body),
  logs: (key: string, query: Query, signal: AbortSignal) =>
    send('GET', `${appPath(key)}/logs${queryText(query)}`, undefined, signal),
}

function clusterPath(fleet: string, name: string): string {
  return `${base}/fleets/${encodeURIComponent(fleet)}/clusters/${encodeURIComponent(name)}`
}
