/** What a render process is asked of a kustomization. */
import type { Surroundings } from '#domains/kustomizations/render/build.ts'
import type { Declared } from '#model/declaration.ts'
import type { Place } from '#model/problem.ts'
import type { KindTask, RenderRequest, SnapshotFiles } from '#model/render.ts'
import type { FilesMeant } from './files.ts'
import type { RemoteFiles } from './with-remotes.ts'

export type KustomizationRequest = RenderRequest & {
  readonly values: Declared['values']
  readonly meant: FilesMeant
  readonly surroundings: Surroundings
  /** The bases on other machines that were fetched for this render. */
  readonly remotes: RemoteFiles
  /** What the operator's own kustomize built. */
  readonly built: string | undefined
}

export type KustomizationTask = CopyTask | PackTask | PlaceTask

/** The files that a kustomization counts as its own, written to a folder for another program. */
export type CopyTask = KindTask & {
  readonly name: 'copy'
  readonly files: SnapshotFiles
  readonly meant: FilesMeant
  readonly target: string
}

/** The same files as one archive for other controllers. */
export type PackTask = KindTask & {
  readonly name: 'pack'
  readonly files: SnapshotFiles
  readonly meant: FilesMeant
  readonly target: string
}

/** The line of the field that a server complains about. */
export type PlaceTask = KindTask & {
  readonly name: 'place'
  readonly files: SnapshotFiles
  readonly origin: Place
  readonly objectKind: string
  readonly message: string
}
