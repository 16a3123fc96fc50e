/** The confinement of an application that the service follows, from its policy and its source. */
import type { Confinement } from '#domains/containers/confinement.ts'
import { keyOf } from '#model/application.ts'
import type { Declared } from '#model/declaration.ts'
import { isSeenThrough, ownSurroundings } from './own-mounts.ts'
import { folderOf, type Shelf } from './shelf.ts'

/** They don't change while a process lives. */
const surroundings = ownSurroundings()

/** `address`: of the engine; `isLocal`: it runs on this machine, as far as its address tells. */
export function confinementOf(
  { application, source, policy }: Declared,
  shelf: Shelf,
  { address, isLocal }: { readonly address: string; readonly isLocal: boolean },
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
