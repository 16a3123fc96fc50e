/** How a fleet that the service keeps stands: from what a pass came to. */
import { healthAfterRun } from '#engine/assess.ts'
import type { FleetDeclared } from '#model/declaration.ts'
import type { Outcome, Summary } from '#model/event.ts'
import type { ProblemFacts } from '#model/problem.ts'
import type { AppStatus } from '#model/service.ts'
import type { Pass } from '../fleet/pass.ts'

const nothing: Summary = {
  created: 0,
  updated: 0,
  deleted: 0,
  unchanged: 0,
  failed: 0,
  skipped: 0,
}

export type Came = {
  readonly outcome: Outcome
  readonly state: AppStatus['state']
  readonly problem: ProblemFacts | undefined
  readonly summary: Summary
  readonly clusters: AppStatus['containers']
  readonly version: AppStatus['desired']
}

export const failed = {
  outcome: 'failed',
  state: 'failed',
  problem: { type: 'runtime', code: 'api_error', message: 'nothing could be planned' },
  summary: nothing,
  clusters: { running: 0, total: 0 },
  version: undefined,
} as const

export function cameOf({ story, summary, verified, code }: Pass): Came {
  const records = verified?.records ?? []
  const wanted = records.filter(({ desired }) => desired === 'present')
  const clusters = {
    running: wanted.filter(({ result }) => result === 'OK').length,
    total: wanted.length,
  }
  const wrong = records.find(({ result }) => result !== 'OK')
  const item = summary.find(({ result }) => result === 'error' || result === 'warning')
  const message = item?.message ?? wrong?.message ?? `it ended with code ${code}`
  const name = item?.name ?? wrong?.name ?? ''
  const told = { type: 'runtime', code: 'api_error', message: `${name}: ${message}` } as const
  const hash = story.rendered?.version ?? ''
  return {
    outcome: code === 0 ? 'succeeded' : 'failed',
    state: code === 0 ? 'synced' : code === 11 ? 'drifted' : 'failed',
    problem: code === 0 ? undefined : (story.problems[0] ?? told),
    summary: story.ended?.summary ?? nothing,
    clusters,
    version: hash === '' ? undefined : { revision: hash, message: `${records.length} rows`, hash },
  }
}

/** What a pass came to tells both answers: `verify` looks at the clusters themselves. */
export function withAnswers(now: AppStatus, before: AppStatus, at: number): AppStatus {
  const { state, reason, lastRun } = now
  const isTold = state === 'synced' || state === 'drifted' || state === 'missing'
  const sync = { state: isTold || state === 'syncing' ? state : 'unknown', reason } as const
  const health = { ...healthAfterRun(lastRun?.outcome, reason), isGivenUp: false }
  const since = (is: string, was: { readonly state: string; readonly since: number }): number =>
    is === was.state ? was.since : at
  return {
    ...now,
    sync: { ...sync, since: since(sync.state, before.sync) },
    health: { ...health, since: since(health.state, before.health) },
  }
}

export function begun(
  { name, database, config }: FleetDeclared,
  key: string,
  isSuspended: boolean,
): AppStatus {
  return {
    key,
    application: { kind: 'fleet', namespace: null, name },
    state: isSuspended ? 'suspended' : 'missing',
    reason: '',
    sync: { state: 'missing', reason: '', since: 0 },
    health: { ...healthAfterRun(undefined, ''), since: 0, isGivenUp: false },
    desired: undefined,
    synced: undefined,
    lastRun: undefined,
    nextTry: undefined,
    failures: 0,
    isSuspended,
    needsAcknowledgement: false,
    containers: { running: 0, total: 0 },
    source: { shown: database ?? 'fleet.db', ref: '', path: '', file: config ?? 'fleet.yaml' },
    target: '',
    dependsOn: [],
  }
}
