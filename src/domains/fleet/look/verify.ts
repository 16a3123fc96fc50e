/** Whether clusters are as the table says: the one judgement that verify, reconcile and regress share. Pure. */
import { reservedCluster, type ClusterRow } from '#model/clusters.ts'
import { canonical } from '#model/json.ts'
import { shown } from '#model/plan.ts'
import { foundWords, missingWords } from '../compare/compare.ts'
import { strangerWords } from '../observe/cluster-identity.ts'
import { recordedShape, shapeOf } from '../cluster-spec.ts'
import type { ClusterObservation, ClusterObservations } from '../observe/clusters.ts'
import type { FleetContext } from '../fleet-context.ts'

export type Verdict = 'OK' | 'MISSING' | 'DRIFT' | 'UNKNOWN'

export type VerifyRecord = {
  readonly name: string
  readonly provider: string
  readonly desired: string
  readonly actual: string
  /** As its row has it. */
  readonly status: string
  readonly result: Verdict
  readonly message: string
}

export type Verified = {
  readonly total: number
  readonly missing: number
  readonly drift: number
  readonly unknown: number
  readonly records: readonly VerifyRecord[]
}

export function verified(
  fleet: Pick<FleetContext, 'declared' | 'settings'>,
  observations: ClusterObservations,
): Verified {
  const rows = fleet.declared.rows.filter(({ name }) => name !== reservedCluster)
  const records = rows.map((row) => verifyRecordOf(row, observations.get(row.name), fleet))
  const count = (result: Verdict): number =>
    records.filter((record) => record.result === result).length
  return {
    total: records.length,
    missing: count('MISSING'),
    drift: count('DRIFT'),
    unknown: count('UNKNOWN'),
    records,
  }
}

/** 0 all is as it should be, 10 a cluster is missing, 11 states differ, 1 something could not be seen. */
export function verifyCode({ missing, drift, unknown }: Verified): number {
  if (missing > 0) return 10
  if (drift > 0) return 11
  return unknown > 0 ? 1 : 0
}

function verifyRecordOf(
  row: ClusterRow,
  observation: ClusterObservation | undefined,
  fleet: Pick<FleetContext, 'declared' | 'settings'>,
): VerifyRecord {
  const { name, provider, desired, status } = row
  const [result, message] = judged(row, observation, fleet)
  return { name, provider, desired, actual: actualOf(observation), status, result, message }
}

function actualOf(observation: ClusterObservation | undefined): string {
  if (observation === undefined || observation.kind === 'unknown') return 'unknown'
  if (observation.kind === 'absent') return 'absent'
  return observation.health === 'ready'
    ? 'running'
    : observation.health === 'unasked'
      ? 'present'
      : 'stopped'
}

function judged(
  row: ClusterRow,
  observation: ClusterObservation | undefined,
  fleet: Pick<FleetContext, 'declared' | 'settings'>,
): readonly [Verdict, string] {
  if (observation === undefined || observation.kind === 'unknown') {
    return ['UNKNOWN', observation?.why ?? 'it was not looked at']
  }
  if (
    row.desired === 'absent' &&
    observation.kind === 'there' &&
    observation.identified === 'stranger'
  ) {
    return ['OK', strangerWords(row.name, observation.provider)]
  }
  if (row.desired === 'absent') {
    return observation.kind === 'absent'
      ? ['OK', '']
      : ['DRIFT', 'its row says absent, and it is there']
  }
  if (row.desired !== 'present') return ['DRIFT', `its row says ${row.desired}`]
  if (observation.kind === 'absent') return ['MISSING', 'its row says present, and it is missing']
  if (observation.identified === 'stranger')
    return ['DRIFT', strangerWords(row.name, observation.provider)]
  const phase = fleet.declared.notes.get(row.name)?.made?.phase
  if (observation.missingPart !== '')
    return ['DRIFT', missingWords(observation.missingPart, phase ?? '')]
  if (observation.health !== 'ready' && observation.health !== 'unasked')
    return ['DRIFT', observation.why]
  const differs = differences(row, observation, fleet)
  const isFound = phase === 'found'
  if (differs === '') return ['OK', isFound ? foundWords : '']
  const how = isFound
    ? 'it is not ours: tend fleet adopt, then --recreate'
    : '--recreate makes it anew'
  return ['DRIFT', `it no longer matches its row: ${differs} (${how})`]
}

/** `httpPort 18090 → 18190` */
function differences(
  row: ClusterRow,
  { facts }: Extract<ClusterObservation, { readonly kind: 'there' }>,
  { declared, settings }: Pick<FleetContext, 'declared' | 'settings'>,
): string {
  const note = declared.notes.get(row.name)
  const shape = shapeOf(row, settings, note)
  const real = recordedShape(shape, note?.made, facts)
  const fields = [...new Set([...Object.keys(real), ...Object.keys(shape)])]
  return fields
    .filter((field) => canonical(real[field] ?? null) !== canonical(shape[field] ?? null))
    .map((field) => {
      // its mark says nothing to anybody
      if (field === 'config') return "its provider's config is another by now"
      return `${field} ${shown(real[field] ?? null)} → ${shown(shape[field] ?? null)}`
    })
    .join(', ')
}
