/** What a render of an application gave, ready to be applied. */
import type { Rendered } from '#model/domain.ts'
import type { Snapshot } from '#model/source.ts'
import type { Inputs } from '#sources/inputs.ts'

export type RenderResult = {
  readonly rendered: Rendered
  /** What it was rendered from. */
  readonly snapshot: Snapshot
  readonly hash: string
  /** What only another program can build. */
  readonly needs: string | undefined
  /** The file that a person would open, relative to the application's folder. */
  readonly file: string
  readonly inputs: Inputs
  /** Puts the files that containers bind where the engine finds them. */
  layFiles(): Promise<void>
}
