/** How many containers all applications of one source may have on one engine, so that one source does not take it from all others. */
import type { ProblemFacts } from '#model/problem.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import type { Observed, Resource } from '#model/resource.ts'
import type { Confinement } from './confinement.ts'
import { recordLabel, sourceLabel, type Labels } from './record.ts'

/** Each of them stands in every list of the engine. */
export const mostOfSource = 5_000

/** By source and by owner. */
type Counts = Map<string, Map<string, number>>

export type SourceMemory = {
  /** Containers that are there, as the last list told. */
  there: Counts
  /** Containers that were wanted and not refused when an application was last looked at. */
  readonly wanted: Counts
}

export function emptySourceMemory(): SourceMemory {
  return { there: new Map(), wanted: new Map() }
}

const counted = new WeakMap<object, Counts>()

/** Many applications look at the same list: it is counted once. */
export function noteSources(
  memory: SourceMemory,
  containers: readonly { readonly labels: Labels }[],
): void {
  const known = counted.get(containers)
  if (known === undefined) {
    const all: Counts = new Map()
    for (const { labels } of containers) {
      const [source, owner] = [labels[sourceLabel], labels[recordLabel.owner]]
      if (source === undefined || owner === undefined) continue
      const owners = all.get(source) ?? new Map<string, number>()
      all.set(source, owners.set(owner, (owners.get(owner) ?? 0) + 1))
    }
    counted.set(containers, all)
    memory.there = all
  } else memory.there = known
}

/**
 * The same world, in which containers that are not there yet are refused where their source has too many with them. What runs is never
 * refused, whoever comes first.
 */
export function withinSource(
  world: ReadonlyMap<Ref, Observed>,
  wanted: readonly Resource[],
  confinement: Confinement,
  memory: SourceMemory,
): ReadonlyMap<Ref, Observed> {
  const { source, owner, key } = confinement
  if (source === undefined) return world
  const containers = wanted.filter(({ ref }) => kindOf(ref) === 'container')
  const own = memory.wanted.get(source) ?? new Map<string, number>()
  memory.wanted.set(source, own)
  own.set(owner, containers.length)
  const missing = containers.filter(({ ref }) => world.get(ref)?.kind === 'absent')
  if (missing.length === 0) return world
  const others = othersOf(source, owner, memory, (other) => {
    const otherKey = other.slice(other.indexOf(':') + 1)
    return otherKey !== key && confinement.neighbour(otherKey) !== undefined
  })
  const total = others + containers.length
  if (total <= mostOfSource) return world
  own.delete(owner)
  const refused = new Map<Ref, Observed>()
  for (const resource of missing) {
    const problem = problemOf(resource, source, total)
    refused.set(resource.ref, { kind: 'absent', forecast: { kind: 'refused', problem } })
  }
  return new Map([...world, ...refused])
}

/** `isFollowed`: one that was only wanted may be gone since. */
function othersOf(
  source: string,
  owner: string,
  { there, wanted }: SourceMemory,
  isFollowed: (owner: string) => boolean,
): number {
  const found = there.get(source) ?? new Map<string, number>()
  const asked = wanted.get(source) ?? new Map<string, number>()
  let sum = 0
  for (const one of new Set([...found.keys(), ...asked.keys()])) {
    if (one === owner) continue
    const [has = 0, wants = 0] = [found.get(one), asked.get(one)]
    sum += isFollowed(one) ? Math.max(has, wants) : has
  }
  return sum
}

function problemOf({ ref, origin }: Resource, source: string, total: number): ProblemFacts {
  return {
    type: 'runtime',
    code: 'denied',
    ref,
    at: origin,
    message: `with it all applications of ${source} have ${total} containers on this engine, more than ${mostOfSource}`,
    suggestion: 'scale some of them down, remove some, or run a part of them on another engine',
  }
}
