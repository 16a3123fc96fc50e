/** What a rule that writes a short syntax out long is given and gives. */
import { failure, type ComposeError } from '../compose-error.ts'
import { describe, type Node } from '../yaml/node.ts'
import type { SourceLocation } from '../yaml/source.ts'
import type { Path } from '../merge/path-rules.ts'

export type CanonicalOptions = {
  /** without interpolation a text may be unreadable only because of its variables: it is then left as it is */
  readonly isLenient: boolean
  readonly warn: (message: string) => void
  /** what docker compose passes over without a word */
  readonly unheeded: Map<string, SourceLocation>
}

export type Context = CanonicalOptions & { readonly below: (node: Node) => Node }
export type Form = (node: Node, path: Path, context: Context) => Node

export function wrong(node: Node, path: Path, wanted: string): ComposeError {
  return failure(node.place, `${path.join('.')} must be ${wanted}, not ${describe(node)}`)
}
