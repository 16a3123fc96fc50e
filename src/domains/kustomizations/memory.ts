/** What one target remembers between looks and calls: only what can't become wrong, or what a later look corrects. */
import { randomBytes } from 'node:crypto'
import type { ApiKind, Discovery } from '#clients/kubernetes/discovery.ts'
import type { Kubernetes } from '#clients/kubernetes/client.ts'
import type { Clock } from '#model/clock.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Ref } from '#model/ref.ts'
import type { Owner } from './object.ts'

/** That an apply of this very spec would change nothing on an object that looks like this. */
export type Settled = { readonly spec: string; readonly marks: string }

export type Workload = {
  readonly namespace: string
  readonly labels: Readonly<Record<string, string>>
}

export type Site = {
  readonly kubernetes: Kubernetes
  readonly discovery: Discovery
  readonly clock: Clock
  readonly owner: Owner
  /** For digests of secrets that are seen. */
  readonly salt: string
  readonly settled: Map<Ref, Settled>
  /** Objects as they were when they were last looked at: what an undo goes back to. With secrets, so only here. */
  readonly before: Map<Ref, JsonRecord>
  /** The kinds that the last look found to be of account. */
  readonly kinds: Map<string, ApiKind>
  /** What pods belong to, by the labels that they must have. */
  readonly workloads: Map<Ref, Workload>
}

export function siteOf(
  kubernetes: Kubernetes,
  discovery: Discovery,
  clock: Clock,
  owner: Owner,
): Site {
  const salt = randomBytes(8).toString('hex')
  const empty = { settled: new Map(), before: new Map(), kinds: new Map(), workloads: new Map() }
  return { kubernetes, discovery, clock, owner, salt, ...empty }
}
