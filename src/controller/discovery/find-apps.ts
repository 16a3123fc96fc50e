/** The applications that a snapshot holds, looked for by a render process: a repository's files are never parsed here. */
import type { Discovery, SourceDeclared } from '#model/declaration.ts'
import { canonical } from '#model/json.ts'
import { factsOf, problemOf } from '#model/problem.ts'
import type { Snapshot } from '#model/source.ts'
import type { Tree } from '#model/tree.ts'
import type { Branch } from '../sources/repository-poller.ts'
import type { DiscoveryResult } from '../declare/discover.ts'
import { isBeyondLimit } from '../render/limit-problems.ts'
import { discoveryTimeout } from '../render/render-limits.ts'
import type { RenderPool, Renders } from '../render/render-pool.ts'
import { filesOfSnapshot } from '#sources/snapshot-files.ts'
import { unchanged } from '#model/unchanged.ts'

export type Founds = ReadonlyMap<Discovery, DiscoveryResult>

type FoundApps = {
  readonly founds: Founds
  /** A limit ended the search, so that it is worth trying again: the machine may have been busy. */
  readonly wasEnded: boolean
}

type FindApps = (discoveries: readonly Discovery[], branch: Branch) => Promise<FoundApps>

/** Of one snapshot the same is looked for once. */
export function appFinder(pool: RenderPool): FindApps {
  const known = new WeakMap<Tree, Map<string, SnapshotApps>>()
  return async (discoveries, { snapshot, status }) => {
    const founds = new Map<Discovery, DiscoveryResult>()
    if (snapshot === undefined) return { founds, wasEnded: false }
    let wasEnded = false
    const before = known.get(snapshot.tree) ?? new Map<string, SnapshotApps>()
    known.set(snapshot.tree, before)
    for (const discovery of discoveries) {
      const key = canonical(JSON.parse(JSON.stringify(discovery)))
      const found = before.get(key) ?? (await findIn(pool.for(status.shown), discovery, snapshot))
      if (found.isTold) before.set(key, found)
      wasEnded ||= found.wasEnded
      founds.set(discovery, found)
    }
    return { founds, wasEnded }
  }
}

type SnapshotApps = DiscoveryResult & { readonly isTold: boolean; readonly wasEnded: boolean }

/** What can't be told is no reason to take anything for gone. */
async function findIn(
  renders: Renders,
  discovery: Discovery,
  snapshot: Snapshot,
): Promise<SnapshotApps> {
  const files = filesOfSnapshot(snapshot)
  try {
    const asked = { files, discovery: { ...discovery, source: noSource } }
    const found = await renders.run('discovery', asked, { timeout: discoveryTimeout })
    if (found === unchanged) throw new TypeError('nobody asked whether it is unchanged')
    return { ...withSource(found, discovery.source), isTold: true, wasEnded: false }
  } catch (thrown) {
    const problem = factsOf(problemOf(thrown))
    const at = problem.at ?? discovery.at
    const message = `applications could not be looked for: ${problem.message}`
    const problems = [{ ...problem, message, at }]
    const wasEnded = isBeyondLimit(problem)
    const isTold = problem.type === 'configuration' && !wasEnded
    return { apps: [], refused: [], problems, isWhole: false, isTold, wasEnded }
  }
}

/** Where a repository is, and with which credential it is read, its files need not know. */
const noSource: SourceDeclared = { kind: 'directory', path: '' }

function withSource(found: DiscoveryResult, source: SourceDeclared): DiscoveryResult {
  return {
    ...found,
    apps: found.apps.map((one) => ({ ...one, source })),
    refused: found.refused.map((one) => ({ ...one, source })),
  }
}
