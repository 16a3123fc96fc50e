/** What the last look at a fleet said of each row. Rows are shown with it, so that nobody has to be asked again. Pure. */
import { declaredOf } from '#domains/fleet/rows-yaml.ts'
import type { Declared, FleetContext } from '#domains/fleet/fleet-context.ts'
import { verified, type VerifyRecord } from '#domains/fleet/look/verify.ts'
import { assess } from '#engine/assess.ts'
import type { Preview } from '#engine/preview.ts'
import type { ClusterRow as ShownRow } from '#model/api-fleets.ts'
import type { ResourceAssessment } from '#model/assessment.ts'
import type { ClusterNote, ClusterRow } from '#model/clusters.ts'
import type { Kind, Rendered } from '#model/domain.ts'
import { canonical } from '#model/json.ts'
import { kindOf, nameOf, refOf } from '#model/ref.ts'
import { columnsShown } from './row-columns.ts'

type Condition = ShownRow['conditions'][number]

export type RowsLook = {
  /** When the look began, ms. */
  readonly at: number
  readonly records: ReadonlyMap<string, VerifyRecord>
  readonly conditions: ReadonlyMap<string, readonly Condition[]>
  /** What each row declared at that time. */
  readonly declared: ReadonlyMap<string, string>
}

/** Which condition a resource of a cluster stands for. */
const types: Readonly<Record<string, string>> = {
  route: 'route',
  endpoint: 'portainer',
  secret: 'argocd',
  application: 'argocd',
  branch: 'git',
}

export function rowsLook(
  fleet: Pick<FleetContext, 'declared' | 'settings' | 'memory'>,
  rendered: Rendered,
  seen: Preview,
  kind: Kind,
  at: number,
): RowsLook {
  const { records } = verified(fleet, fleet.memory.observations ?? new Map())
  const { resources } = assess(rendered, seen, new Map(), kind)
  const { rows, notes } = fleet.declared
  const leaving = new Set(rows.filter(({ desired }) => desired === 'absent').map(nameIn))
  const conditions = Map.groupBy(resources, ({ ref }) => nameOf(ref))
  return {
    at,
    records: new Map(records.map((record) => [record.name, record])),
    conditions: new Map(
      [...conditions].map(([name, own]) => [name, conditionsOf(own, leaving.has(name))]),
    ),
    declared: new Map(rows.map((row) => [row.name, declaredText(row, notes.get(row.name))])),
  }
}

function nameIn({ name }: ClusterRow): string {
  return name
}

function conditionsOf(
  resources: readonly ResourceAssessment[],
  isLeaving: boolean,
): readonly Condition[] {
  const found = resources.flatMap(({ ref, sync }): readonly Condition[] => {
    const type = types[kindOf(ref)]
    if (type === undefined) return []
    const { state, reason } = sync
    if (state === 'unknown') return [{ type, state: 'unknown', reason }]
    if (isLeaving) return state === 'synced' ? [] : [{ type, state: 'true', reason }]
    return [{ type, state: state === 'synced' ? 'true' : 'false', reason }]
  })
  const byType = Map.groupBy(found, ({ type }) => type)
  const worst = (own: readonly Condition[]): readonly Condition[] =>
    own.toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state)).slice(0, 1)
  return [...byType.values()].flatMap(worst)
}

const order: readonly Condition['state'][] = ['false', 'unknown', 'true']

export function shownRow(
  row: ClusterRow,
  { notes }: Pick<Declared, 'notes'>,
  look: RowsLook | undefined,
): ShownRow {
  const { name, provider } = row
  const note = notes.get(name)
  const record = look?.records.get(name)
  const isNewer = look === undefined || record === undefined || isSince(row, look.at)
  const isChanged = look?.declared.get(name) !== declaredText(row, note)
  const assessment = assessmentOf(row, isNewer ? undefined : record, isChanged)
  return {
    name,
    provider,
    declared: columnsShown(declaredOf(row, note)),
    actual: isNewer || isUnderWay(row) ? row.actual : record.actual,
    ...(assessment === undefined ? {} : { assessment }),
    conditions: look?.conditions.get(name) ?? [],
  }
}

function declaredText(row: ClusterRow, note: ClusterNote | undefined): string {
  return canonical(JSON.parse(JSON.stringify({ ...declaredOf(row, note) })))
}

/** Whether a run wrote to the row after the look began. The table counts in seconds: within the same second the row counts. */
function isSince({ lastReconciledAt }: ClusterRow, at: number): boolean {
  if (lastReconciledAt === null) return false
  const time = Date.parse(`${lastReconciledAt.replace(' ', 'T')}Z`)
  return Number.isFinite(time) && time + 999 >= at
}

function isUnderWay({ actual }: ClusterRow): boolean {
  return actual === 'creating' || actual === 'deleting'
}

/** Undefined: nothing is known of the cluster yet. */
function assessmentOf(
  row: ClusterRow,
  record: VerifyRecord | undefined,
  isChanged: boolean,
): ResourceAssessment | undefined {
  const answer = (
    sync: ResourceAssessment['sync']['state'],
    reason: string,
    health: ResourceAssessment['health'],
  ): ResourceAssessment => {
    return { ref: refOf('cluster', row.name), sync: { state: sync, reason, changes: [] }, health }
  }
  if (isUnderWay(row)) {
    const words = row.actual === 'creating' ? 'it is being made' : 'it is being deleted'
    return answer('syncing', words, { state: 'progressing', reason: words })
  }
  const error = row.reconcileError?.split('\n').at(-1)
  if (record === undefined && error !== undefined) {
    return answer('drifted', error, { state: 'failed', reason: error })
  }
  const isWanted = row.desired === 'present'
  if (record === undefined) {
    if (row.actual !== 'running' || !isWanted) return undefined
    return answer('synced', '', { state: 'healthy', reason: '' })
  }
  const { actual, result, message } = record
  const state = actual === 'running' || actual === 'present' ? 'healthy' : 'failed'
  const health = { state: actual === 'unknown' ? 'unknown' : state, reason: message } as const
  const own = isWanted ? health : undefined
  if (isChanged) return answer('drifted', 'its row was changed: the next run follows it', own)
  return answer(verdicts[result], result === 'OK' ? '' : message, own)
}

const verdicts = { OK: 'synced', MISSING: 'missing', DRIFT: 'drifted', UNKNOWN: 'unknown' } as const
