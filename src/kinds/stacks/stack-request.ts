/** What the render of a stack is asked. */
import type { BindFolders } from '#model/bind-files.ts'
import type { Orphan } from '#model/connection.ts'
import type { Declared } from '#model/declaration.ts'
import type { Policy } from '#model/policy.ts'
import type { RenderRequest } from '#model/render.ts'

export type StackRequest = RenderRequest & {
  readonly path: string
  readonly composeFiles: readonly string[]
  readonly profiles: readonly string[]
  readonly values: Declared['values']
  readonly security: Policy
  /** Where the files of the snapshot seem to lie. */
  readonly root: string
  readonly isDirectory: boolean
  readonly sharesFiles: boolean
  readonly bindFiles: BindFolders
  /** Labels that another program put on the containers, by service. */
  readonly startedBy: Orphan
  /** The docker compose of the service's machine, whose labels are written; undefined: there is none. */
  readonly composeVersion: string | undefined
  /** Texts of key files of age, for files that are encrypted. */
  readonly ageKeys: readonly string[]
}
