/** What is written on every object that an engine of containers has, and read back from it: whose it is, what it was made from. */
import type { Identity } from '#model/application.ts'
import { canonical, hashOf, isList, isRecord, type Json } from '#model/json.ts'
import type { Ref } from '#model/ref.ts'
import type { Need, Recorded } from '#model/resource.ts'

export const recordLabel = {
  owner: 'tend/owner',
  ref: 'tend/ref',
  hash: 'tend/hash',
  spec: 'tend/spec',
  needs: 'tend/needs',
  revision: 'tend/revision',
  since: 'tend/since',
} as const

/** Under which lease it was made. No part of the record: whoever holds the lease next leaves it as it is. */
const generationLabel = 'tend/generation'

/** Which source the application came from that made it. No part of the record: what was made before there was such a label stays. */
export const sourceLabel = 'tend/source'

export type Labels = Readonly<Record<string, string>>

export function generationLabels(generation: number | undefined): Labels {
  return generation === undefined ? {} : { [generationLabel]: String(generation) }
}

/** All but the record, which is complete only once what it needs exists. */
export function ownerLabels(identity: Identity, ref: Ref, needs: readonly Need[]): Labels {
  return {
    [recordLabel.owner]: identity.owner,
    [recordLabel.ref]: ref,
    [recordLabel.needs]: canonical(
      needs.map(({ ref: to, until, renew }) => ({ ref: to, until, renew })),
    ),
    [recordLabel.revision]: identity.revision,
    [recordLabel.since]: String(identity.since),
  }
}

export function recordLabels(record: Json): Labels {
  return { [recordLabel.hash]: hashOf(record), [recordLabel.spec]: canonical(record) }
}

/** Undefined when a label is missing or was tampered with: then what it was made from is not known. */
export function recordedOf(labels: Labels): Recorded | undefined {
  const spec = parsed(labels[recordLabel.spec])
  const hash = labels[recordLabel.hash]
  const needs = needsOf(parsed(labels[recordLabel.needs]))
  if (spec === undefined || needs === undefined || !isRecord(spec)) return undefined
  return hash === hashOf(spec) ? { hash, spec, needs } : undefined
}

/** What its record is told by, where it has one. */
export function recordIn(labels: Labels): readonly { readonly ref: Ref; readonly hash: string }[] {
  const { [recordLabel.ref]: ref, [recordLabel.hash]: hash } = labels
  return ref === undefined || hash === undefined ? [] : [{ ref, hash }]
}

export function sinceOf(labels: Labels): number | undefined {
  const since = Number(labels[recordLabel.since] ?? Number.NaN)
  return Number.isFinite(since) ? since : undefined
}

function parsed(text: string | undefined): Json | undefined {
  if (text === undefined) return undefined
  try {
    const value: Json = JSON.parse(text)
    return value
  } catch {
    // a harmed record is none: the resource counts as out of sync
    return undefined
  }
}

export function needsOf(value: Json | undefined): readonly Need[] | undefined {
  if (!isList<Json>(value)) return undefined
  const needs = value.flatMap((item) => needOf(item) ?? [])
  return needs.length === value.length ? needs : undefined
}

const untils = ['exists', 'started', 'healthy', 'completed'] as const

function needOf(value: Json): Need | undefined {
  if (!isRecord<Json>(value)) return undefined
  const until = untils.find((word) => word === value['until'])
  const { ref, renew } = value
  if (typeof ref !== 'string' || typeof renew !== 'boolean' || until === undefined) return undefined
  return { ref, until, renew }
}
