/** What the service asks of a render process, and what comes back: plain data alone. */
import type { Application } from '#model/application.ts'
import type { Declared, Discovery } from '#model/declaration.ts'
import type { Policy } from '#model/policy.ts'
import type { Place, ProblemFacts } from '#model/problem.ts'
import type { Resource } from '#model/resource.ts'
import type { Surroundings } from '#domains/kustomizations/build.ts'
import type { Need } from '#formats/kustomize/error.ts'
import type { Orphan } from '../craft.ts'
import type { Found } from '../declare/discover.ts'
import type { FilesMeant } from '../crafts/kustomization-files.ts'
import type { Wanted } from '#sources/bind-files.ts'
import type { SnapshotFiles } from '#sources/snapshot-files.ts'

type Shared = {
  readonly files: SnapshotFiles
  readonly application: Application
  readonly seed: Uint8Array
  /** What an earlier render read (the lines of its inputs): while that is the same nothing is rendered. */
  readonly known?: string
}

export type ChartRequest = Shared & {
  readonly path: string
  readonly values: Declared['values']
  readonly security: Policy
  readonly since: number
}

export type StackRequest = Shared & {
  readonly path: string
  readonly composeFiles: readonly string[]
  readonly profiles: readonly string[]
  readonly values: Declared['values']
  readonly security: Policy
  /** Where the files of the snapshot seem to lie. */
  readonly root: string
  readonly isDirectory: boolean
  readonly sharesFiles: boolean
  readonly shelf: ShelfFolders
  /** Labels that another program put on the containers, by service. */
  readonly startedBy: Orphan
}

export type ShelfFolders = { readonly folder: string; readonly seenAs: string }

export type KustomizationRequest = Shared & {
  readonly values: Declared['values']
  readonly meant: FilesMeant
  readonly surroundings: Surroundings
  /** What the operator's own kustomize built. */
  readonly built: string | undefined
}

export type RenderAnswer = {
  readonly resources: readonly Resource[]
  readonly problems: readonly ProblemFacts[]
  readonly warnings: readonly string[]
  readonly isIncomplete: boolean
  readonly version: string
  /** What the vault holds. */
  readonly secrets: ReadonlyMap<string, Uint8Array>
  /** Services that no active profile selects. */
  readonly inactive: readonly string[]
  readonly hash: string
  readonly file: string
  /** The lines of what was read. */
  readonly read: string
  readonly placed: readonly Wanted[]
  /** What only another program can build. */
  readonly needs: Need | undefined
}

/** What a render process can do: the request and the answer of each. */
export type Tasks = {
  readonly chart: { readonly request: ChartRequest; readonly answer: RenderAnswer }
  readonly stack: { readonly request: StackRequest; readonly answer: RenderAnswer }
  readonly kustomization: { readonly request: KustomizationRequest; readonly answer: RenderAnswer }
  /** Which applications a tree holds. */
  readonly discovery: {
    readonly request: { readonly files: SnapshotFiles; readonly discovery: Discovery }
    readonly answer: Found
  }
  /** The files that a kustomization counts as its own, written to a folder for another program. */
  readonly copy: {
    readonly request: {
      readonly files: SnapshotFiles
      readonly meant: FilesMeant
      readonly target: string
    }
    readonly answer: null
  }
  /** Where the field stands that a server complains about. */
  readonly place: {
    readonly request: {
      readonly files: SnapshotFiles
      readonly origin: Place
      readonly kind: string
      readonly message: string
    }
    readonly answer: Place
  }
  /** The files that containers bind, put where the engine finds them. */
  readonly placing: {
    readonly request: {
      readonly files: SnapshotFiles
      readonly shelf: ShelfFolders
      readonly wanted: readonly Wanted[]
    }
    readonly answer: null
  }
}

export type TaskName = keyof Tasks

/** A task that renders an application. */
export type RenderRequest = {
  readonly [Name in 'chart' | 'stack' | 'kustomization']: {
    readonly name: Name
    readonly request: Tasks[Name]['request']
  }
}['chart' | 'stack' | 'kustomization']
