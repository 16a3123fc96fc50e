/** What is known of a cluster beside what it was made from, as it travels in an observation. */
import { isRecord, type Json } from '#model/json.ts'
import { isLater, isSealed, type Value } from '#model/value.ts'

type LiveCluster = {
  readonly health: string
  readonly why: string
  /** Of the note beside its row: making, made, adopted; empty when there is none. */
  readonly phase: string
  /** The row says the same of the cluster as what was observed. */
  readonly isMarked: boolean
  /** Why this is not the cluster that Tend made under this name; empty where it is. */
  readonly stranger: string
  /** A container of the cluster that somebody removed; empty where all are there. */
  readonly missingPart: string
  /** The cluster has an identity that is not noted beside its row yet. */
  readonly isUnidentified: boolean
}

export function liveCluster(live: Json): LiveCluster {
  const record = isRecord<Json>(live) ? live : {}
  const text = (field: string): string => wordOf(record[field])
  return {
    health: text('health'),
    why: text('why'),
    phase: text('phase'),
    isMarked: record['isMarked'] === true,
    stranger: text('stranger'),
    missingPart: text('missingPart'),
    isUnidentified: record['isUnidentified'] === true,
  }
}

/** `present` or `absent`, as a spec of a fleet's resources says it. */
export function stateIn(spec: Value | undefined): string {
  return wordOf(spec === undefined ? undefined : fieldOf(spec, 'state'))
}

export function fieldOf(spec: Value, field: string): Value | undefined {
  if (!isRecord<Value>(spec) || isSealed(spec) || isLater(spec)) return undefined
  return spec[field]
}

function wordOf(value: Value | undefined): string {
  return typeof value === 'string' ? value : ''
}
