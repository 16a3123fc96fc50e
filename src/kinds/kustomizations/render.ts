/** Renders a kustomization of a snapshot, in a render process. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { placeOfField } from '#domains/kustomizations/field-place.ts'
import type { Place } from '#model/problem.ts'
import { snapshotHash } from '#engine/recorder.ts'
import { renderKustomization } from '#domains/kustomizations/render.ts'
import type { Files } from '#formats/kustomize/build.ts'
import { filesOf } from './files.ts'
import { withBuilt } from './outside.ts'
import { witnessed } from '#sources/inputs.ts'
import type { RenderAnswer } from '#model/render.ts'
import type { CopyTask, KustomizationRequest, KustomizationTask, PlaceTask } from './request.ts'
import { specIn } from './spec-in.ts'
import { treeOfSnapshot } from '#sources/snapshot-files.ts'

export async function renderKustomizationRequest(
  request: KustomizationRequest,
): Promise<RenderAnswer> {
  const { application, values, meant, surroundings, built, seed } = request
  const spec = specIn(values)
  const witness = witnessed(treeOfSnapshot(request.files))
  const files = filesOf(witness, meant)
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
    needs: rendered.unbuilt,
  }
}

export async function performTask(task: KustomizationTask): Promise<unknown> {
  return task.name === 'copy' ? copyFiles(task) : placeIn(task)
}

/** Links are files by now, and nothing lies outside. */
async function copyFiles({ files, meant, target }: CopyTask): Promise<void> {
  await copyFolder(filesOf(witnessed(treeOfSnapshot(files)), meant), '', target)
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
