/** `patchesStrategicMerge`: each entry is a patch or the path of a file with patches. */
import { KustomizeError, fail } from '../error.ts'
import { type PatchSource, mergeByName } from './patches.ts'
import { readResources } from '../load/read-resources.ts'
import type { ResourceSet } from '../load/resource-set.ts'
import type { Resource } from '../load/resource.ts'

export function mergePatches(
  paths: readonly string[],
  inline: string,
  source: PatchSource,
): (set: ResourceSet) => void {
  if (paths.length === 0 && inline === '') fail('there is neither a path nor a patch')
  const patches = [
    ...paths.flatMap((path) => patchesIn(path, source)),
    ...(inline === '' ? [] : readResources(inline, source.file, source.schemas)),
  ]
  if (patches.length === 0) fail('the patches are empty')
  return (set) => {
    for (const patch of patches) mergeByName(set, patch)
  }
}

function patchesIn(entry: string, source: PatchSource): Resource[] {
  try {
    return readResources(entry, source.file, source.schemas)
  } catch (error) {
    if (!(error instanceof KustomizeError)) throw error
    const { loader, schemas } = source
    return readResources(loader.text(entry), loader.pathOf(entry), schemas)
  }
}
