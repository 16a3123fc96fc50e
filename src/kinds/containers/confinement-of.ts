/** The confinement of an application that the service follows, from its policy and its source. */
import type { Confinement } from '#domains/containers/confinement.ts'
import type { Declared } from '#model/declaration.ts'
import { denyAll } from '#model/policy.ts'
import { isSeenThrough } from './own-mounts.ts'
import type { FollowedFiles } from '#model/application-kind.ts'
import { knownSources, sourceName, type KnownSources } from '#sources/application-source.ts'
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
  const noted = new Set<string>()
  return (owner, declared) => {
    if (followed === undefined) return undefined
    const key = owner.slice(instance.length + 1)
    if (declared !== undefined && !noted.has(key)) {
      noted.add(key)
      noteFirst(knownSources(followed.bindFiles.folder), key, sourceName(declared.source))
    }
    if (declared !== undefined)
      known.set(owner, confinementOf(declared, { owner, key }, followed, engine))
    return known.get(owner) ?? confinementOf(undefined, { owner, key }, followed, engine)
  }
}

function confinementOf(
  declared: Declared | undefined,
  { owner, key }: Pick<Confinement, 'owner' | 'key'>,
  followed: FollowedFiles,
  { address, isLocal }: Engine,
): Confinement {
  const { folder, seenAs, home } = followed.bindFiles
  return {
    owner,
    key,
    source: declared && sourceName(declared.source),
    sources: knownSources(folder),
    policy: declared?.policy.security ?? denyAll,
    ownRoots: declared?.source.kind === 'directory' ? [declared.source.path] : [],
    files: { folder, seenAs, home },
    ownFolder: folderOf(key),
    tasks: followed.tasksFor(key),
    cacheKey: followed.cacheKeyOf(key),
    neighbour: (other) => followed.neighbourOf(key, other),
    sees: (path) => isLocal && isSeenThrough(address, path),
  }
}

/** What earlier versions made says nothing of its source: whoever has the name first is taken for whose it is. */
function noteFirst(sources: KnownSources, key: string, source: string): void {
  try {
    if (sources.of(key) === undefined) sources.note(key, source)
  } catch {
    // a folder that can't be written: it is noted when something is made, and that says so
  }
}
