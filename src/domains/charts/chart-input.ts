/** What a chart is rendered from, and what comes of it beside the resources. */
import type { OpenFile } from '#domains/containers/encrypted-files.ts'
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
  /** Opens what is encrypted; unset: everything is taken as it is. */
  readonly opened?: OpenFile
  /** What templates see of the release; unset: a first install. */
  readonly release?: Release
  /** What it may ask of the host. By hand, unset: everything. */
  readonly policy?: Policy
}

/** Which of its applications this is, as `.Release` tells it. */
export type Release = { readonly isInstall: boolean; readonly revision: number }

/** What a file of templates was rendered to. */
export type ShownManifest = {
  readonly path: string
  readonly text: string
  /** What is wrong with it, each behind the line of the text (from 1) that it is about. */
  readonly faults: readonly { readonly line: number; readonly text: string }[]
}

export type ChartRendered = Rendered & {
  readonly chart: { readonly name: string; readonly version: string; readonly description: string }
  /** What a chart's author should know and whoever installs it need not. */
  readonly notes: readonly string[]
  /** What templates saw as `.Values`, without what is secret. */
  readonly values: { readonly [key: string]: unknown }
  /** NOTES.txt, for whoever installed it; without secrets. */
  readonly message: string
  /** Rendered documents with secrets masked, in file order, for `template`; of what failed as much as was rendered. */
  readonly manifests: readonly ShownManifest[]
}
