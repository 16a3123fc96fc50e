/** Renders a fleet in a render process: rows of a table, or a file of a repository, become resources. */
import { join } from 'node:path/posix'
import { declaredIn } from '#domains/fleet/rows-yaml.ts'
import type { WantedRegistration } from '#domains/fleet/registrations/registration.ts'
import { renderFleet } from '#domains/fleet/render/render.ts'
import { afterRows, rowsOfFile, wantedRows } from '#domains/fleet/registrations/table-rows.ts'
import { settingsIn, type FleetSettings } from '#domains/fleet/settings.ts'
import type { Declared } from '#domains/fleet/fleet-context.ts'
import { snapshotHash } from '#engine/recorder.ts'
import type { Rendered } from '#model/domain.ts'
import { factsOf, problemOf, type Place, type ProblemFacts } from '#model/problem.ts'
import type { RenderAnswer } from '#model/render.ts'
import type { Tree } from '#model/tree.ts'
import { vaultOf } from '#model/vault.ts'
import { witnessed } from '#sources/inputs.ts'
import { treeOfSnapshot } from '#sources/snapshot-files.ts'
import { rowsIn } from './declared-rows.ts'
import { wantedRegistrationsFor } from './wanted-registrations.ts'
import type { FleetRequest } from './fleet-request.ts'
import { repositoryFaults } from './from-repository.ts'
import { namespaceOf } from './settings.ts'
import { folderOf, reconciling } from './usual.ts'
import { clustersFile, rowsFile, settingsFile } from './snapshot-names.ts'

export async function renderFleetRequest(request: FleetRequest): Promise<RenderAnswer> {
  const witness = witnessed(treeOfSnapshot(request.files))
  const { rendered, file } = renderedFrom(request, witness.tree)
  const { vault, ...plain } = rendered
  return {
    ...plain,
    secrets: vault.contents(),
    inactive: [],
    hash: snapshotHash(rendered),
    file,
    read: witness.lines(),
    placed: [],
    needs: undefined,
  }
}

type RenderedFile = { readonly rendered: Rendered; readonly file: string }

function renderedFrom(request: FleetRequest, tree: Tree): RenderedFile {
  const { settings, problems } = settingsOf(request, tree)
  const faults = [...problems, ...nameFaults(request, settings)]
  if (request.isTable) {
    const declared = rowsIn(textIn(tree, rowsFile) ?? '[]')
    return { rendered: rendered(declared, settings, request, faults, []), file: settingsFile }
  }
  const file = join(request.path, clustersFile)
  const place = `${tree.root}/${file}`
  const { clusters, problems: own, places } = declaredIn(textIn(tree, file) ?? '', place)
  const all = [...faults, ...own, ...repositoryFaults(clusters, place)]
  const declared = rowsOfFile(clusters)
  const about = { ...request, database: place }
  const made = rendered(declared, settings, about, all, [wantedRows(clusters)])
  return { rendered: placed(afterRows(made), places), file: clustersFile }
}

/** Everything that belongs to a row gets the place of its lines: the cluster, its route, its registrations. */
function placed(made: Rendered, places: ReadonlyMap<string, Place>): Rendered {
  const resources = made.resources.map((one) => {
    const name = one.ref.slice(one.ref.indexOf('/') + 1)
    return { ...one, origin: places.get(name) ?? one.origin }
  })
  return { ...made, resources }
}

function rendered(
  declared: Declared,
  settings: FleetSettings,
  { home, namespace: said, database, recreates }: FleetRequest,
  faults: readonly ProblemFacts[],
  first: readonly WantedRegistration[],
): Rendered {
  if (faults.length > 0) return refused(faults)
  try {
    const namespace = namespaceOf(settings, { environment: { KINDLER_NS: said } })
    const place = { namespace, folder: folderOf(settings, namespace, home) }
    const registrations = [...first, ...wantedRegistrationsFor(settings, declared, place)]
    const options = { ...reconciling, recreates }
    return renderFleet({ settings, declared, options, registrations, database })
  } catch (thrown) {
    return refused([factsOf(problemOf(thrown))])
  }
}

function settingsOf(
  { isTable, settings: { file, text } }: FleetRequest,
  tree: Tree,
): ReturnType<typeof settingsIn> {
  const written = isTable ? textIn(tree, settingsFile) : text
  return written === undefined ? { settings: {}, problems: [] } : settingsIn(written, file)
}

function nameFaults(
  { application: { name } }: FleetRequest,
  { name: own = 'fleet' }: FleetSettings,
): readonly ProblemFacts[] {
  if (own === name) return []
  return [
    {
      type: 'configuration',
      code: 'declaration_error',
      message: `the fleet is declared as ${name}, and its fleet.yaml calls it ${own}`,
      suggestion: `write fleet: ${own}, or name: ${name} in fleet.yaml`,
    },
  ]
}

function refused(problems: readonly ProblemFacts[]): Rendered {
  const vault = vaultOf(new Map(), new Uint8Array())
  const nothing = { resources: [], warnings: [], isIncomplete: true, version: '' }
  return { ...nothing, problems, vault }
}

function textIn(tree: Tree, path: string): string | undefined {
  const content = tree.read(path)
  return content === undefined ? undefined : new TextDecoder().decode(content)
}
