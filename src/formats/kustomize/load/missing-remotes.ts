/** Which bases on other machines a build needs that are not at hand: all that can be told before they are read. */
import { loadTarget } from './accumulate.ts'
import { KustomizeError } from '../error.ts'
import { rootLoader, type Files, type Loader } from './loader.ts'
import { remoteBaseOf } from './remote.ts'
import { newSchemas } from './schemas.ts'
import { newSecretUse } from '../transform/secret-values.ts'

/** A tree that refers to more folders than this is looked at no further. */
const mostFolders = 2_000

/** What is wrong with the files is for the build to say. */
export function missingRemotes(files: Files, path: string): readonly string[] {
  const missing = new Set<string>()
  const seen = new Set<string>()

  function visit(open: () => Loader): void {
    try {
      const loader = open()
      if (seen.has(loader.root) || seen.size >= mostFolders) return
      seen.add(loader.root)
      const rest = {
        schemas: newSchemas(),
        warnings: [],
        secrets: newSecretUse(undefined),
        originPath: undefined,
      }
      const { kustomization } = loadTarget(loader, rest, true)
      const { resources = [], components = [], generators = [] } = kustomization
      const { transformers = [], validators = [] } = kustomization
      for (const one of [
        ...resources,
        ...components,
        ...generators,
        ...transformers,
        ...validators,
      ]) {
        look(one, () => loader.enter(one))
      }
    } catch (error) {
      if (!(error instanceof KustomizeError)) throw error
    }
  }

  function look(one: string, open: () => Loader): void {
    const isMissing = remoteBaseOf(one) !== undefined && files.remoteRoot?.(one) === undefined
    if (isMissing) missing.add(one)
    else if (!one.includes('\n')) visit(open)
  }

  look(path, () => rootLoader(files, path, 'LoadRestrictionsNone'))
  return [...missing]
}
