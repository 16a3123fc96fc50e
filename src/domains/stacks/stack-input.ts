/** What a stack is rendered from, and what comes of it beside the resources. */
import type { LoadOptions } from '#formats/compose/load/load.ts'
import type { Rendered } from '#model/domain.ts'
import type { Json } from '#model/json.ts'
import type { Policy } from '#model/policy.ts'
import type { Place } from '#model/problem.ts'
import type { WatchRule } from './render/watch-rules.ts'

export type StackInput = {
  /** Its release is that of `composeVersion`. */
  readonly load: LoadOptions
  /** The docker compose that the labels name and whose hashes they hold; `usualCompose` unless said. */
  readonly composeVersion?: string
  readonly policy: Policy
  readonly revision: string
  /** Replicas by service, over what the file says. */
  readonly scale?: Readonly<Record<string, number>>
  /** Key of the vault's salts. */
  readonly seed: Uint8Array
  /** All files below a folder, by absolute path: contexts of builds are then part of what is compared. */
  readonly list?: (folder: string) => readonly string[]
  /** Where a link of a context points to: it is sent as the link that it is, so nothing behind it is read. */
  readonly linkAt?: (path: string) => string | undefined
  /**
   * Whether a file is the repository's own, so that a change of it counts though its mount is writable. Without an answer
   * only read-only ones count: whatever a container writes itself must not replace it.
   */
  readonly isRepositoryFile?: (path: string) => boolean
  /**
   * The host's path for a file or folder of a snapshot that does not lie on the engine's host as it is. Pure. Bound read-only and
   * in the snapshot, it is a copy whose path has the hash of its content in it: untouched, it keeps its path across commits.
   * Bound writable, or not in the snapshot, it is a place of the stack's own that stays. Binds of anything else are then the
   * policy's to judge alone. Without it, by hand, everything is bound from where it is.
   */
  readonly place?: (path: string, how: PlacedFor) => string
}

type PlacedFor = {
  readonly isWritable: boolean
  /** It stays there, and only Tend writes it. */
  readonly isKept?: boolean
  /** The engine is sent it: only this machine has to find it. */
  readonly isContext?: boolean
}

/** What has to lie on the host before the stack is applied. */
export type Placed = {
  readonly hostPath: string
  /** In the snapshot, absolute as the load sees it; it may be a folder, or not be there. */
  readonly path: string
  readonly isWritable: boolean
  readonly isContext?: boolean
  /** The line that asks for it. */
  readonly at?: Place | undefined
}

export type StackRendered = Rendered & {
  readonly project: string
  /** As `docker compose config --format json` prints it. */
  readonly model: Json
  /** Variables that the files ask for and nobody set, also where a default stood in. */
  readonly missing: readonly string[]
  /** All that were read as such, absolute. */
  readonly configFiles: readonly string[]
  /** Services that no active profile selects. */
  readonly inactive: readonly string[]
  /** What `tend compose watch` does; nothing else reads it. */
  readonly watch: readonly WatchRule[]
  /** Empty without `place`. */
  readonly placed: readonly Placed[]
}
