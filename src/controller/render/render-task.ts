/** Does what was asked of a render process: one task after the other. */
import { kindNamed, loadDeclarations } from '#kinds/all.ts'
import type { RenderAnswer, RenderRequest } from '#model/render.ts'
import { unchanged } from '#model/unchanged.ts'
import { bindFilesIn } from '#sources/bind-files.ts'
import { linesStillHold } from '#sources/inputs.ts'
import { snapshotOf, treeOfSnapshot } from '#sources/snapshot-files.ts'
import { discover } from '../declare/discover.ts'
import type { TaskName, Tasks } from './render-request.ts'

type Handlers = {
  readonly [Name in TaskName]: (
    request: Tasks[Name]['request'],
  ) => Promise<Tasks[Name]['answer'] | typeof unchanged>
}

const handlers: Handlers = {
  render,
  kind: async (task) => kindNamed(task.kind).perform?.(task),
  discovery: async ({ files, discovery }) =>
    discover(discovery, treeOfSnapshot(files), await loadDeclarations()),
  async placing({ files, bindFiles, wanted }) {
    const { signal } = new AbortController()
    await bindFilesIn(bindFiles.folder, bindFiles.seenAs).lay(wanted, snapshotOf(files), signal)
    return null
  },
}

export async function performTask<Name extends TaskName>(
  name: Name,
  request: Tasks[Name]['request'],
): Promise<Tasks[Name]['answer'] | typeof unchanged> {
  return handlers[name](request)
}

async function render(request: RenderRequest): Promise<RenderAnswer | typeof unchanged> {
  const { application, files, known } = request
  if (known !== undefined) {
    const isSame = await linesStillHold(known, treeOfSnapshot(files))
    if (isSame === true) return unchanged
  }
  const kind = kindNamed(application.kind)
  if (kind.render !== undefined) return kind.render(request)
  throw new TypeError(`${kind.words.plural} are not rendered from files`)
}
