/** What every target of containers remembers between looks and calls: only what can't become wrong, or what a later look corrects. */
import type { Endpoint, ImageLoad, InspectedEndpoint } from '#model/container-engine.ts'
import type { Problem } from '#model/problem.ts'
import { emptySourceMemory, type SourceMemory } from './source-limit.ts'
import type { Ref } from '#model/ref.ts'

export type EngineMemory = {
  /** Name of an image to its id, as last seen or pulled. */
  readonly images: Map<string, string>
  /** Pulls and builds under way: many containers of one image get it once. */
  readonly pulls: Map<string, Promise<string>>
  /** Images that this process asked the registry for, or built, already. */
  readonly fresh: Set<string>
  /** Images that followed applications may use, by owner and the name that is written, to the id that was looked at. */
  readonly looked: Map<string, string>
  /** How many containers of each image a followed application is to have, by owner, since it was last looked at. */
  readonly counts: Map<string, ReadonlyMap<string, number>>
  /** Containers of all applications of a source. */
  readonly sources: SourceMemory
  /** What images bring along, by id. */
  readonly loads: Map<string, ImageLoad>
  /** Images that were found too heavy for a followed application since it was last looked at, by owner and name. */
  readonly tooHeavy: Map<string, Problem>
  /** What an object is called to its ref, for events that carry no labels. */
  readonly refs: Map<string, Ref>
  /** What a container that was made from here is called to its id: the name may be somebody else's by now, the id is not. */
  readonly made: Map<string, string>
  /** How a stranger's container is on a network, between its disconnection and connection. */
  readonly endpoints: Map<string, Endpoint>
  /** How an old container was on a network, between its disconnection and its connection without names. */
  readonly unnamed: Map<string, InspectedEndpoint>
  /** Old containers that keep their names until they end: the engine can't take the names alone. */
  readonly stillNamed: Set<string>
  /** Failures of health checks in a row, by container id; only where nobody else runs them. */
  readonly probes: Map<string, Probes>
  /** Health checks in a row that did not end, by container and its start: how many, and when the last one was given up, ms. */
  readonly hanging: Map<string, { readonly count: number; readonly at: number }>
}

type Probes = {
  /** Counted at most once an interval, and none in the start period. */
  readonly failures: number
  /** When the last one was counted, ms. */
  readonly countedAt: number
  /** All of them, for the pace. */
  readonly probes: number
}

export function emptyEngineMemory(): EngineMemory {
  return {
    images: new Map(),
    pulls: new Map(),
    fresh: new Set(),
    looked: new Map(),
    counts: new Map(),
    sources: emptySourceMemory(),
    loads: new Map(),
    tooHeavy: new Map(),
    refs: new Map(),
    made: new Map(),
    endpoints: new Map(),
    unnamed: new Map(),
    stillNamed: new Set(),
    probes: new Map(),
    hanging: new Map(),
  }
}
