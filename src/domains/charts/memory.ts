/** What one target remembers between looks and calls: only what can't become wrong, or what a later look corrects. */
import type { Endpoint } from '#clients/podman/networks.ts'
import type { Facts } from '#clients/podman/system.ts'
import type { Labels } from '#domains/containers/record.ts'
import type { Ref } from '#model/ref.ts'

export type Memory = {
  /** By id: ids of secrets are never used again, and labels never change. */
  readonly secretLabels: Map<string, Labels>
  /** Name of an image to its id, as last seen or pulled. */
  readonly images: Map<string, string>
  /** Pulls under way: many containers of one image pull it once. */
  readonly pulls: Map<string, Promise<string>>
  /** Images that this process asked the registry for already. */
  readonly fresh: Set<string>
  /** `kind name` of an object to its ref, for events that carry no labels. */
  readonly refs: Map<string, Ref>
  /** Names of a stranger's container on a network, between its disconnection and connection. */
  readonly aliases: Map<string, readonly string[]>
  /** How an old container was on a network, between its disconnection and connection without names. */
  readonly endpoints: Map<string, Endpoint>
  /** Failures of health checks in a row, by container id. */
  readonly probes: Map<string, Probes>
  /** What kind of Podman this is, once someone had to ask. */
  facts?: Facts
}

export type Probes = {
  /** Counted at most once an interval, and none in the start period. */
  readonly failures: number
  /** When the last one was counted, ms. */
  readonly countedAt: number
  /** All of them, for the pace. */
  readonly probes: number
}

export function emptyMemory(): Memory {
  return {
    secretLabels: new Map(),
    images: new Map(),
    pulls: new Map(),
    fresh: new Set(),
    refs: new Map(),
    aliases: new Map(),
    endpoints: new Map(),
    probes: new Map(),
  }
}
