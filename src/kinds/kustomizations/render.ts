/** Renders a kustomization of a snapshot, in a render process. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { placeOfField } from '#domains/kustomizations/observe/field-location.ts'
import type { Place } from '#model/problem.ts'
import { snapshotHash } from '#engine/recorder.ts'
import { renderKustomization } from '#domains/kustomizations/render/render.ts'
import type { Files } from '#formats/kustomize/build.ts'
import { withKustomization } from '#formats/kustomize/load/generated-kustomization.ts'
import { missingRemotes } from '#formats/kustomize/load/missing-remotes.ts'
import { filesOf, toldByBuild, treeMeant } from './files.ts'
import { withBuilt } from './outside.ts'
import { witnessed } from '#sources/inputs.ts'
import type { RenderAnswer } from '#model/render.ts'
import type {
  CopyTask,
  KustomizationRequest,
  KustomizationTask,
  PackTask,
  PlaceTask,
} from './request.ts'
import { pack } from '#sources/artifact/pack.ts'
import { specIn } from './spec-in.ts'
import { withRemotes } from './with-remotes.ts'
import { treeOfSnapshot } from '#sources/snapshot-files.ts'

export async function renderKustomizationRequest(
  request: KustomizationRequest,
): Promise<RenderAnswer> {
  const { application, values, meant, surroundings, built, seed } = request
  const spec = specIn(values)
  const witness = witnessed(treeOfSnapshot(request.files))
  const files = withRemotes(toldByBuild(filesOf(witness, meant)), request.remotes)
  // what it depends on only the other program knows
  if (built !== undefined) for (const file of witness.tree.list('')) witness.tree.read(file)
  const { namespace, name } = application
  const rendered = await renderKustomization({
    files: built === undefined ? files : withBuilt(files, spec.path, built),
    spec,
    surroundings,
    owner: { namespace: namespace ?? 'default', name },
    revision: request.files.revision,
    seed,
  })
  const { resources, problems, warnings, isIncomplete, version } = rendered
  return {
    resources,
    problems,
    warnings,
    isIncomplete,
    version,
    secrets: rendered.vault.contents(),
    inactive: [],
    hash: snapshotHash(rendered),
    file: 'kustomization.yaml',
    read: witness.lines(),
    placed: [],
    needs: rendered.unbuilt === 'remote' ? remoteNeeds(files, spec.path) : rendered.unbuilt,
  }
}

/** Names every base that is known to be missing, so that all are fetched at once. */
function remoteNeeds(files: Files, path: string): string {
  return `remote ${JSON.stringify(missingRemotes(withKustomization(files, path), path))}`
}

export async function performTask(task: KustomizationTask): Promise<unknown> {
  if (task.name === 'copy') return copyFiles(task)
  return task.name === 'pack' ? packFiles(task) : placeIn(task)
}

/** By now links are plain files, and nothing lies outside. */
async function copyFiles({ files, meant, target }: CopyTask): Promise<void> {
  await copyFolder(filesOf(witnessed(treeOfSnapshot(files)), meant), '', target)
}

function packFiles({ files, meant, target }: PackTask): Promise<unknown> {
  const never = new AbortController().signal
  return pack(treeMeant(treeOfSnapshot(files), meant), target, never)
}

function placeIn({ files, origin, objectKind, message }: PlaceTask): Place {
  const content = treeOfSnapshot(files).read(origin.file)
  if (content === undefined) return origin
  return placeOfField(Buffer.from(content).toString(), origin, objectKind, message)
}

async function copyFolder(files: Files, folder: string, target: string): Promise<void> {
  await mkdir(target, { recursive: true })
  for (const name of files.list(folder)) {
    const path = folder === '' ? name : `${folder}/${name}`
    if (files.isDirectory(path)) await copyFolder(files, path, join(target, name))
    else {
      const content = files.read(path)
      if (content !== undefined) await writeFile(join(target, name), content)
    }
  }
}
