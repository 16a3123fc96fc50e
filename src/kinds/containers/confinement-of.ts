/** The confinement of an application that the service follows, from its policy and its source. */
import type { Confinement } from '#domains/containers/confinement.ts'
import { keyOf } from '#model/application.ts'
import type { Declared } from '#model/declaration.ts'
import { isSeenThrough, ownSurroundings } from './own-mounts.ts'
import { folderOf, type Shelf } from '#sources/bind-files.ts'

/** They don't change while a process lives. */
const surroundings = ownSurroundings()

/** `isLocal`: it runs on this machine, as far as its address tells. */
type Engine = { readonly address: string; readonly isLocal: boolean }

/** For all applications of an engine. One that is declared no more keeps the confinement that it had while it is removed. */
export function confinementsOn(
  engine: Engine,
): (owner: string, declared: Declared | undefined, shelf: Shelf) => Confinement | undefined {
  const known = new Map<string, Confinement>()
  return (owner, declared, shelf) => {
    if (declared !== undefined) known.set(owner, confinementOf(declared, shelf, engine))
    return known.get(owner)
  }
}

function confinementOf(
  { application, source, policy }: Declared,
  shelf: Shelf,
  { address, isLocal }: Engine,
): Confinement {
  const socket = address.replace(/^unix:\/\//, '')
  return {
    policy: policy.security,
    ownRoots: source.kind === 'directory' ? [source.path] : [],
    files: { folder: shelf.folder, seenAs: shelf.seenAs, home: shelf.home },
    ownFolder: folderOf(keyOf(application)),
    sees: (path) => isLocal && isSeenThrough(socket, path, surroundings),
  }
}
