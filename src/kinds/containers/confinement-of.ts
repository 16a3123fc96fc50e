/** The confinement of an application that the service follows, from its policy and its source. */
import type { Confinement } from '#domains/containers/confinement.ts'
import { keyOf } from '#model/application.ts'
import type { Declared } from '#model/declaration.ts'
import { isSeenThrough } from './own-mounts.ts'
import type { BindFiles } from '#model/bind-files.ts'
import { folderOf } from '#sources/bind-files.ts'

/** `isLocal`: it runs on this machine, as far as its address tells. */
type Engine = { readonly address: string; readonly isLocal: boolean }

/**
 * For all applications of an engine. One that is declared no more keeps the confinement that it had while it is removed;
 * without a service, which alone runs what others commit, nothing is confined.
 */
export function confinementsOn(
  engine: Engine,
  bindFiles: BindFiles | undefined,
): (owner: string, declared: Declared | undefined) => Confinement | undefined {
  const known = new Map<string, Confinement>()
  return (owner, declared) => {
    if (bindFiles === undefined) return undefined
    if (declared !== undefined) known.set(owner, confinementOf(declared, bindFiles, engine))
    return known.get(owner)
  }
}

function confinementOf(
  { application, source, policy }: Declared,
  bindFiles: BindFiles,
  { address, isLocal }: Engine,
): Confinement {
  return {
    policy: policy.security,
    ownRoots: source.kind === 'directory' ? [source.path] : [],
    files: { folder: bindFiles.folder, seenAs: bindFiles.seenAs, home: bindFiles.home },
    ownFolder: folderOf(keyOf(application)),
    sees: (path) => isLocal && isSeenThrough(address, path),
  }
}
