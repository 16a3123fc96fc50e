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
  site: Pick<FleetContext, 'declared' | 'settings'>,
  sights: ClusterObservations,
): Verified {
  const rows = site.declared.rows.filter(({ name }) => name !== reservedCluster)
  const records = rows.map((row) => recordOf(row, sights.get(row.name), site))
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

function recordOf(
  row: ClusterRow,
  sight: ClusterObservation | undefined,
  site: Pick<FleetContext, 'declared' | 'settings'>,
): VerifyRecord {
  const { name, provider, desired, status } = row
  const [result, message] = judged(row, sight, site)
  return { name, provider, desired, actual: actualOf(sight), status, result, message }
}

function actualOf(sight: ClusterObservation | undefined): string {
  if (sight === undefined || sight.kind === 'unknown') return 'unknown'
  if (sight.kind === 'absent') return 'absent'
  return sight.health === 'ready' ? 'running' : sight.health === 'unasked' ? 'present' : 'stopped'
}

function judged(
  row: ClusterRow,
  sight: ClusterObservation | undefined,
  site: Pick<FleetContext, 'declared' | 'settings'>,
): readonly [Verdict, string] {
  if (sight === undefined || sight.kind === 'unknown') {
    return ['UNKNOWN', sight?.why ?? 'it was not looked at']
  }
  if (row.desired === 'absent' && sight.kind === 'there' && sight.identified === 'stranger') {
    return ['OK', strangerWords(row.name, sight.provider)]
  }
  if (row.desired === 'absent') {
    return sight.kind === 'absent' ? ['OK', ''] : ['DRIFT', 'its row says absent, and it is there']
  }
  if (row.desired !== 'present') return ['DRIFT', `its row says ${row.desired}`]
  if (sight.kind === 'absent') return ['MISSING', 'its row says present, and it is missing']
  if (sight.identified === 'stranger') return ['DRIFT', strangerWords(row.name, sight.provider)]
  const phase = site.declared.notes.get(row.name)?.made?.phase
  if (sight.missingPart !== '') return ['DRIFT', missingWords(sight.missingPart, phase ?? '')]
  if (sight.health !== 'ready' && sight.health !== 'unasked') return ['DRIFT', sight.why]
  const differs = differences(row, sight, site)
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
