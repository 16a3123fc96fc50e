/** What the render of a fleet is asked. */
import type { RenderRequest } from '#model/render.ts'

export type FleetRequest = RenderRequest & {
  /** The snapshot is one of a table, which Tend made; otherwise it comes from a repository. */
  readonly isTable: boolean
  /** The folder in the snapshot. */
  readonly path: string
  readonly recreates: boolean
  /** The file of the table, for messages. */
  readonly database: string
  /** The name of fleet.yaml, for messages and for paths in it, and its text, unless the snapshot of a table holds it. */
  readonly settings: { readonly file: string; readonly text: string | undefined }
  /** Tend's own folder. */
  readonly home: string
  /** The namespace that the operator's environment names. The settings count before it. */
  readonly namespace: string | undefined
}
