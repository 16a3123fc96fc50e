/** What the controller needs of each kind of application, and of each place where they run. */
import type { Application, Identity } from '#model/application.ts'
import type { Declared } from '#model/declaration.ts'
import type { Kind, Rendered, Target } from '#model/domain.ts'
import type { Outcome } from '#model/event.ts'
import type { ProblemFacts } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'
import type { ContainerStatus } from '#model/service.ts'
import type { Snapshot } from '#model/source.ts'
import type { Tree } from '#model/tree.ts'
import type { Need } from '#formats/kustomize/error.ts'
import type { Inputs } from '#sources/inputs.ts'
import type { Renders } from './render/render-pool.ts'
import type { RenderAnswer, RenderRequest } from './render/render-request.ts'
import type { Shelf } from '#sources/bind-files.ts'

export type Craft = {
  readonly kind: Application['kind']
  /** What its file is called as a rule. */
  readonly mainFile: string
  /** Whether a snapshot holds the application at all. */
  isThere(declared: Declared, tree: Tree): boolean
  /**
   * What a render process is asked: it reads nothing but the snapshot, and problems are in its answer. `startedBy`: as it would
   * look, had another program started it, with the labels of that one. Throws a problem.
   */
  request(declared: Declared, snapshot: Snapshot, how: How, startedBy?: Orphan): RenderRequest
  /** Hears what came of a render. */
  answered?(declared: Declared, answer: RenderAnswer): void
  /** Why one that a render does not declare stays: `inactive` are the services that no active profile selects. */
  readonly leaves?: (inactive: readonly string[]) => Rendered['leaves']
  /** Gets what a render can't do by itself, where it can be had; true: render again. Throws a problem. */
  prepare?(
    declared: Declared,
    snapshot: Snapshot,
    needs: Need,
    renders: Renders,
    signal: AbortSignal,
  ): Promise<boolean>
  /** Hash over whatever else than files decides on what a render gives. */
  aboutOf(declared: Declared, how: How): string
  /** Over everything that is wanted: equal hashes need no run. */
  hashOf(rendered: Rendered): string
  /** Why this one is left alone when it is not declared and no run that went well had it; undefined: it goes as others do. */
  readonly keepsUnproven?: (ref: Ref) => string | undefined
  /** A problem of a run in its own words: whose it is, and where that one is declared. */
  tell?(problem: ProblemFacts, rendered: Rendered): ProblemFacts
  /** What another program started can be taken over. */
  readonly adopts?: boolean
  /** The place that an address means; throws a problem when there is none. Makes no connection. */
  find(target: string | undefined): Place
}

export type How = {
  /** When the application was first installed, ms. */
  readonly since: number
  readonly seed: Uint8Array
  readonly shelf: Shelf
  /** The engine sees the files of this machine, or the operator said where it sees them. */
  readonly sharesFiles: boolean
}

export type Made = {
  readonly rendered: Rendered
  /** What it was rendered from. */
  readonly snapshot: Snapshot
  readonly hash: string
  /** What only another program can build. */
  readonly needs: Need | undefined
  /** The file that a person would open, relative to the application's folder. */
  readonly file: string
  readonly inputs: Inputs
  /** Puts the files that containers bind where the engine finds them. */
  layFiles(): Promise<void>
}

export type Place = {
  readonly address: string
  /** `called` hears of every call that is made there. */
  connect(instance: string, called: () => void): Site
}

/** One engine: one client for all applications that run there. */
export type Site = {
  readonly address: string
  /** Whether the engine sees the files of this machine. */
  readonly isLocal: boolean
  readonly kind: Kind
  readonly target: Target
  /** Where each application has ports of its own: with its rights, and what it may prune. */
  portsFor?(owner: string, declared: Declared | undefined, shelf: Shelf): Ports
  /** Each application has a mark of its last sync there. */
  readonly marks: boolean
  /** Everything that is ours, in one round of lists. */
  sight(signal: AbortSignal): Promise<Sight>
  /** What happens there, until the line breaks. Says `listening` first. */
  watch(signal: AbortSignal): AsyncIterable<News>
  ping(signal: AbortSignal): Promise<void>
  /** After a run; without news when everything went. Where applications are not marked, nothing happens. */
  mark(owner: string, news: Marked | undefined, signal: AbortSignal): Promise<void>
  /** Takes over what another program started, as it is. Says whether there was something. */
  adopt(
    rendered: Rendered,
    identity: Identity,
    at: number,
    signal: AbortSignal,
  ): Promise<{ readonly matching: number; readonly differing: number }>
  /** What containers bind there, whoever's they are and whether they run or not. None: it binds no files of a snapshot. */
  bound?(signal: AbortSignal): Promise<readonly string[]>
  containers(owner: string, signal: AbortSignal): Promise<readonly ContainerStatus[]>
  logs(
    container: string,
    wanted: { readonly tail: number | undefined; readonly follows: boolean },
    signal: AbortSignal,
  ): AsyncIterable<string>
  close(): void
}

export type Ports = { readonly kind: Kind; readonly target: Target }

export type Marked = {
  readonly revision: string
  readonly hash: string
  readonly outcome: Outcome
  readonly at: number
  /** The discovery that it comes from. */
  readonly foundBy?: string
}

/** What the labels of one application tell of it. */
export type Seen = {
  readonly since: number | undefined
  /** What was last applied; undefined: nothing tells. An empty hash: it was taken over and not synced since. */
  readonly mark:
    | { readonly revision: string; readonly hash: string; readonly at: number }
    | undefined
  /** The discovery that it comes from, where the mark tells. */
  readonly foundBy?: string
  readonly containers: { readonly running: number; readonly total: number }
  /** Another one whenever something changed that may be drift. */
  readonly fingerprint: string
}

export type Sight = {
  /** By owner. */
  readonly apps: ReadonlyMap<string, Seen>
  /** By name: those that another program started and that may be taken over. */
  readonly orphans: ReadonlyMap<string, Orphan>
}

/** The labels that the other program put there, by service. */
export type Orphan = Readonly<Record<string, Readonly<Record<string, string>>>>

export type News =
  | { readonly kind: 'listening' }
  | {
      readonly kind: 'changed'
      /** Undefined: nobody of ours, or nobody can tell. */
      readonly owner: string | undefined
      /** Whose it is can be told. */
      readonly isSure: boolean
      /** An image came or went; a part of an application was made or removed. */
      readonly what?: 'image' | 'part' | undefined
    }
