/** What the service asks of a render process, and what comes back: plain data alone. */
import type { BindFile, BindFolders } from '#model/bind-files.ts'
import type { Discovery } from '#model/declaration.ts'
import type { KindTask, RenderAnswer, RenderRequest, SnapshotFiles } from '#model/render.ts'
import type { DiscoveryResult } from '../declare/discover.ts'

/** What a render process can do: the request and the answer of each. */
export type Tasks = {
  /** Renders an application, as its kind does. */
  readonly render: { readonly request: RenderRequest; readonly answer: RenderAnswer }
  /** What only one kind knows how to do. */
  readonly kind: { readonly request: KindTask; readonly answer: unknown }
  /** Which applications a tree holds. */
  readonly discovery: {
    readonly request: { readonly files: SnapshotFiles; readonly discovery: Discovery }
    readonly answer: DiscoveryResult
  }
  /** The files that containers bind, put where the engine finds them. */
  readonly placing: {
    readonly request: {
      readonly files: SnapshotFiles
      readonly bindFiles: BindFolders
      readonly wanted: readonly BindFile[]
    }
    readonly answer: null
  }
}

export type TaskName = keyof Tasks
