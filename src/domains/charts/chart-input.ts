/** What a chart is rendered from, and what comes of it beside the resources. */
import type { Rendered } from '#model/domain.ts'
import type { Policy } from '#model/policy.ts'
import type { Tree } from '#model/tree.ts'
import type { SetKind } from './render/set-grammar.ts'

/** One layer of values over values.yaml, as given: later ones win. */
export type ValueLayer =
  /** `-f file`: its name for messages, its text. */
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  /** `--set a.b[0]=c`, `--set-string …`, `--set-json …`, `--set-literal …`: the text behind the flag. */
  | { readonly kind: SetKind; readonly text: string }
  /** `--set-file a.b=path`, read by the caller. */
  | { readonly kind: 'set-file'; readonly path: string; readonly content: string }

export type ChartInput = {
  readonly tree: Tree
  readonly namespace: string | null
  readonly layers: readonly ValueLayer[]
  /** What templates see as the clock, ms, and the seed of their random functions. */
  readonly since: number
  readonly seed: Uint8Array
  /** Variables that the operator listed: the only ones that a secret may name. */
  readonly environment: Readonly<Record<string, string>>
  /** What it may ask of the host. By hand, unset: everything. */
  readonly policy?: Policy
}

export type ChartRendered = Rendered & {
  readonly chart: { readonly name: string; readonly version: string; readonly description: string }
  /** What a chart's author should know and whoever installs it need not. */
  readonly notes: readonly string[]
  /** Rendered documents with secrets masked, in file order, for `template`. */
  readonly manifests: readonly { readonly path: string; readonly text: string }[]
}
