/** What runs fleets: requests to a render process, the table as a source, and the clusters themselves. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import { snapshotHash } from '#engine/recorder.ts'
import { keyOf } from '#model/application.ts'
import type { KindAround, LoadedKind } from '#model/application-kind.ts'
import type { Declared } from '#model/declaration.ts'
import { hashOf } from '#model/json.ts'
import type { ProblemFacts } from '#model/problem.ts'
import { kindOf, nameOf } from '#model/ref.ts'
import type { RenderContext } from '#model/render.ts'
import type { Snapshot } from '#model/source.ts'
import { hasFile } from '#sources/inputs.ts'
import { filesOfSnapshot } from '#sources/snapshot-files.ts'
import { buildId } from '../build-id.ts'
import type { FleetAsked } from './asked.ts'
import { connectFleet } from './connect.ts'
import type { FleetRequest } from './fleet-request.ts'
import { placeIn, settingsFileOf, targetOf } from './fleet-address.ts'
import { unreadable } from './settings.ts'
import { clustersFile } from './snapshot-names.ts'
import { tableRepository } from './table-source.ts'
import { usualInterval } from './declaration.ts'

/** `asked`: by whoever runs a fleet in the place of the service. */
export function loadedFleets(around: KindAround, asked?: FleetAsked): LoadedKind {
  return {
    name: 'fleet',
    engines: ['fleet'],
    files: [clustersFile],
    noRollback: {
      message: 'a fleet has no earlier state to go back to: its rows are what counts',
      suggestion: 'change its rows, or its file in the repository, and sync it',
    },
    removesAnyway: true,
    // a cluster takes minutes to make
    runsBeside: true,
    // each look starts programs and asks whatever clusters are registered with
    usualLook: usualInterval,
    table: (source, cache) => tableRepository(placeIn(source.path, around), cache, around),
    isThere: ({ source, path }, tree) =>
      source.kind === 'table' || hasFile(tree, join(path, clustersFile)),
    request: (declared, snapshot, context) => request(around, declared, snapshot, context),
    inputHash: (declared) => inputHash(around, declared),
    hashOf: snapshotHash,
    explain: withCluster,
    find: (target) => ({ address: targetOf(placeIn(target, around)) }),
    connect: ({ address }, instance, service) =>
      connectFleet(placeIn(address, around), { ...around, instance }, service, asked),
  }
}

/** Names the cluster in a problem: what programs print names none. */
function withCluster(problem: ProblemFacts): ProblemFacts {
  if (problem.ref === undefined) return problem
  const [kind, name] = [kindOf(problem.ref), nameOf(problem.ref)]
  const whose = kind === 'cluster' || kind === 'row' ? name : `${kind} of ${name}`
  return { ...problem, message: `${whose}: ${problem.message}` }
}

function recreatesIn({ values }: Pick<Declared, 'values'>): boolean {
  return values['recreate'] === true
}

function request(
  around: KindAround,
  declared: Declared,
  snapshot: Snapshot,
  { seed }: RenderContext,
): FleetRequest {
  const { application, path, source, target } = declared
  const isTable = source.kind === 'table'
  const place = placeIn(target, around)
  const { file } = settingsFileOf(place)
  return {
    files: filesOfSnapshot(snapshot),
    application,
    seed,
    path,
    isTable,
    recreates: recreatesIn(declared),
    database: place.database,
    settings: { file, text: isTable ? undefined : settingsText(around, declared) },
    home: around.home,
    namespace: around.environment['KINDLER_NS'],
  }
}

/** The operator's settings are beside the table and never in a repository. Undefined: there are none. */
function settingsText(around: KindAround, { target }: Declared): string | undefined {
  const place = placeIn(target, around)
  const { file, isThere } = settingsFileOf(place)
  if (!isThere && place.config === undefined) return undefined
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw unreadable(file, cause instanceof Error ? cause.message : String(cause))
  }
}

function inputHash(around: KindAround, declared: Declared): string {
  const { application, path, source, target } = declared
  const settings = source.kind === 'table' ? null : (settingsText(around, declared) ?? null)
  const outer = [around.home, around.environment['KINDLER_NS'] ?? null]
  const own = [keyOf(application), path, target ?? null, recreatesIn(declared)]
  return hashOf([buildId, ...own, ...outer, settings]).slice(0, 20)
}
