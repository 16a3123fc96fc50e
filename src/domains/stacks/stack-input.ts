/** What a stack is rendered from, and what comes of it beside the resources. */
import type { LoadOptions } from '#formats/compose/load.ts'
import type { Rendered } from '#model/domain.ts'
import type { Json } from '#model/json.ts'
import type { Policy } from '#model/policy.ts'

export type StackInput = {
  readonly load: LoadOptions
  readonly policy: Policy
  readonly revision: string
  /** Replicas by service, over what the file says. */
  readonly scale?: Readonly<Record<string, number>>
  /** Key of the vault's salts. */
  readonly seed: Uint8Array
  /** All files below a folder, by absolute path: contexts of builds are then part of what is compared. */
  readonly list?: (folder: string) => readonly string[]
  /**
   * Whether a file is the repository's own, so that a change of it counts though its mount is writable. Without an answer
   * only read-only ones count: whatever a container writes itself must not replace it.
   */
  readonly isRepositoryFile?: (path: string) => boolean
}

export type StackRendered = Rendered & {
  readonly project: string
  /** As `docker compose config --format json` prints it. */
  readonly model: Json
}
