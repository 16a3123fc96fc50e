/** What the render of a fleet is asked. */
import type { RenderRequest } from '#model/render.ts'

export type FleetRequest = RenderRequest & {
  /** The snapshot is one of a table, made by Tend; else it is a repository's. */
  readonly isTable: boolean
  /** The folder in the snapshot. */
  readonly path: string
  readonly recreates: boolean
  /** Where its table is, for messages. */
  readonly database: string
  /** fleet.yaml: its name for messages and for paths in it; its text, unless it is in the snapshot of a table. */
  readonly settings: { readonly file: string; readonly text: string | undefined }
  /** Tend's own folder. */
  readonly home: string
  /** What the operator's environment says of a namespace; the settings count before it. */
  readonly namespace: string | undefined
}
