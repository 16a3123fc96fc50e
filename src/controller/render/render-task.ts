/** Does what was asked of a render process: one task after the other. */
import { placeOfField } from '#domains/kustomizations/field-place.ts'
import { discover } from '../declare/discover.ts'
import { linesStillHold } from '#sources/inputs.ts'
import { shelfIn } from '#sources/bind-files.ts'
import { renderChartRequest } from './render-chart.ts'
import { copyFiles, renderKustomizationRequest } from './render-kustomization.ts'
import type { TaskName, Tasks } from './render-request.ts'
import { renderStackRequest } from './render-stack.ts'
import { snapshotOf, treeOfSnapshot } from '#sources/snapshot-files.ts'
import { unchanged } from '#model/unchanged.ts'

type Handlers = {
  readonly [Name in TaskName]: (request: Tasks[Name]['request']) => Promise<Tasks[Name]['answer']>
}

const handlers: Handlers = {
  chart: renderChartRequest,
  stack: renderStackRequest,
  kustomization: renderKustomizationRequest,
  discovery: async ({ files, discovery }) => discover(discovery, treeOfSnapshot(files)),
  copy: copyFiles,
  async place({ files, origin, kind, message }) {
    const content = treeOfSnapshot(files).read(origin.file)
    const text = Buffer.from(content ?? []).toString()
    return content === undefined ? origin : placeOfField(text, origin, kind, message)
  },
  async placing({ files, shelf, wanted }) {
    const { signal } = new AbortController()
    await shelfIn(shelf.folder, shelf.seenAs).lay(wanted, snapshotOf(files), signal)
    return null
  },
}

export async function performTask<Name extends TaskName>(
  name: Name,
  request: Tasks[Name]['request'],
): Promise<Tasks[Name]['answer'] | typeof unchanged> {
  if ('known' in request && request.known !== undefined) {
    const isSame = await linesStillHold(request.known, treeOfSnapshot(request.files))
    if (isSame === true) return unchanged
  }
  return handlers[name](request)
}
