/** The confinement of an application that the service follows, from its policy and its source. */
import type { Confinement } from '#domains/containers/confinement.ts'
import type { Declared } from '#model/declaration.ts'
import { denyAll } from '#model/policy.ts'
import { isSeenThrough } from './own-mounts.ts'
import type { FollowedFiles } from '#model/application-kind.ts'
import { folderOf } from '#sources/bind-files.ts'

/** `isLocal`: it runs on this machine, as far as its address tells. */
type Engine = { readonly address: string; readonly isLocal: boolean }

/**
 * For all applications of an engine. One that is declared no more keeps the confinement that it had, and where nobody knows that any
 * more it may bind what was laid down for it, and nothing else. Without a service, which alone runs what others commit, nothing is
 * confined.
 */
export function confinementsOn(
  engine: Engine,
  instance: string,
  followed: FollowedFiles | undefined,
): (owner: string, declared: Declared | undefined) => Confinement | undefined {
  const known = new Map<string, Confinement>()
  return (owner, declared) => {
    if (followed === undefined) return undefined
    const key = owner.slice(instance.length + 1)
    if (declared !== undefined) known.set(owner, confinementOf(declared, key, followed, engine))
    return known.get(owner) ?? confinementOf(undefined, key, followed, engine)
  }
}

function confinementOf(
  declared: Declared | undefined,
  key: string,
  followed: FollowedFiles,
  { address, isLocal }: Engine,
): Confinement {
  const { folder, seenAs, home } = followed.bindFiles
  return {
    policy: declared?.policy.security ?? denyAll,
    ownRoots: declared?.source.kind === 'directory' ? [declared.source.path] : [],
    files: { folder, seenAs, home },
    ownFolder: folderOf(key),
    tasks: followed.tasksFor(key),
    sees: (path) => isLocal && isSeenThrough(address, path),
  }
}
