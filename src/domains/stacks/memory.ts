/** What one target remembers between looks and calls: only what can't become wrong, or what a later look corrects. */
import type { EngineFacts } from '#clients/docker/system.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Ref } from '#model/ref.ts'
import type { Adopted } from './adopted.ts'
import type { Lists } from './observe/lists.ts'

export type Memory = {
  /** Name of an image to its id, as last seen or pulled. */
  readonly images: Map<string, string>
  /** Pulls and builds under way: many containers of one image get it once. */
  readonly pulls: Map<string, Promise<string>>
  /** Images that this process asked the registry for, or built, already. */
  readonly fresh: Set<string>
  /** `owner kind name` of an object to its ref, for events that carry no labels. */
  readonly refs: Map<string, Ref>
  /** How a stranger's container is on a network, between its disconnection and connection. */
  readonly endpoints: Map<string, JsonRecord>
  /** Failures of health checks in a row, by container id; only where nobody else runs them. */
  readonly probes: Map<string, Probes>
  /** What a dry run looks at as if it had been taken over, by owner. */
  readonly asIfAdopted: Map<string, Adopted>
  /** What kind of engine this is. */
  facts?: Promise<EngineFacts>
  /** Lists under way or just taken, for all who look now. */
  lists?: { readonly takenAt: number; readonly taken: Promise<Lists>; isDone: boolean }
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
    images: new Map(),
    pulls: new Map(),
    fresh: new Set(),
    refs: new Map(),
    endpoints: new Map(),
    probes: new Map(),
    asIfAdopted: new Map(),
  }
}
