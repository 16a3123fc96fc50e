/** What the front ends and the controller know of a kind of application. Everything else about it stays in its domain. */
import type { Application } from './application.ts'
import type { BindFiles } from './bind-files.ts'
import type { Connection, Orphan } from './connection.ts'
import type { Clock } from './clock.ts'
import type { Declared, SourceDeclared } from './declaration.ts'
import type { Rendered } from './domain.ts'
import type { EngineAddress } from './engine-address.ts'
import type { KindDeclaration } from './kind-declaration.ts'
import type { Log } from './log.ts'
import type { ProblemFacts } from './problem.ts'
import type { Ref } from './ref.ts'
import type { KindTask, RenderAnswer, RenderContext, RenderRequest, TaskRunner } from './render.ts'
import type { Repository, Snapshot } from './source.ts'
import type { Tree } from './tree.ts'

/** A kind is light: whatever is heavy is loaded when it is needed, so that a command pays only for the kinds that it uses. */
export type ApplicationKind = {
  /** The text that `Application.kind` has. */
  readonly name: string
  readonly words: KindWords
  /** How applications of this kind are declared in tend.yaml and found in trees; absent: they can't be declared there. */
  declaration?(): Promise<KindDeclaration>
  /** Present where objects of a cluster declare such applications too. */
  readonly objects?: {
    /** How such an object says that removing most of what an application has is meant. */
    allowRemoval(application: Application, revision: string): string
  }
  /** `tend install` and `tend plan` take a folder with this file for one of this kind. Absent: the kind has verbs of its own. */
  readonly installs?: { readonly file: string }
  /** The JSON Schemas of its files, for editors: `tend schema` prints them. Absent: it has none. */
  schemas?(): Promise<KindSchemas>
  /** The first word of verbs that are about this kind alone: `compose`. */
  readonly verbGroup?: string
  /** On the command line only verbs of its own reach it, and the verbs that all kinds share do not. */
  readonly hasOwnVerbs?: true
  /** Its applications are declared by rows of a table, which can be shown and changed one by one: the word for one and for many. */
  readonly rows?: { readonly noun: string; readonly plural: string }
  /**
   * Loads what runs its applications. Absent: the kind needs more than an address to connect, and whoever knows that builds its
   * LoadedKind (kustomizations: `cli/kube`). Gives undefined where it needs `around` and was not given it.
   */
  load?(around?: KindAround): Promise<LoadedKind | undefined>
  /** Renders what a snapshot holds, in a render process. Reads nothing but the snapshot; problems are in the answer. */
  render?(request: RenderRequest): Promise<RenderAnswer>
  /** Does a task of this kind, in a render process. */
  perform?(task: KindTask): Promise<unknown>
}

/** JSON Schemas by name. */
export type KindSchemas = {
  readonly names: readonly string[]
  /** The schema of that name. Without a name: the schema that fits any of its files, where there is one. Undefined: there is no such schema. */
  schema(name?: string): Readonly<Record<string, unknown>> | undefined
}

/** What a kind may need to know of the process that runs its applications. */
export type KindAround = {
  readonly clock: Clock
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Tend's own folder. */
  readonly home: string
  readonly instance: string
  readonly log: Log
}

export type KindWords = {
  /** The word for headings: "Stack name: web". */
  readonly title: string
  /** The key under which documents list them: "stacks". */
  readonly plural: string
  /** The command that removes an application; absent: there is none. */
  removeCommand?(application: Application): string
  /** The command that installs an application from its files, and what it takes; absent: there is none. */
  readonly applyCommand?: { readonly command: string; readonly takes: 'FILE' | 'PATH' }
  /** How output in JSON or YAML names the type of problems that come from the engine; absent: `runtime`. */
  readonly runtimeProblem?: string
  /** The service of a container, where one service may have several containers: `web-1` belongs to `web`. */
  readonly serviceOf?: (container: string) => string
  /** The word that names this application on the command line. */
  argument(application: Application): string
}

export type LoadedKind = {
  readonly name: string
  /** The engines that can run it, in the words of `--offer`: docker, podman, kube. */
  readonly engines: readonly [string, ...string[]]
  /** Names that its main file may have: the first one that exists counts. */
  readonly files: readonly [string, ...string[]]
  /** The marker of an application says which discovery it comes from. */
  readonly marksDiscovery?: boolean
  /** The source that a table is, where applications of this kind come from one. `cache`: a folder for its snapshots. */
  table?(source: Extract<SourceDeclared, { readonly kind: 'table' }>, cache: string): Repository
  /** Why there is no going back to an earlier run; absent: there is. */
  readonly noRollback?: { readonly message: string; readonly suggestion: string }
  /** A run removes what is no longer declared even where another resource of the application failed. */
  readonly removesAnyway?: true
  /** Its runs may last many minutes, and no other kind runs on the same engine: they are not counted against `concurrency`. */
  readonly runsBeside?: true
  /** How often its target is listed where no application asks for it more often, ms; absent: as often as for all kinds. */
  readonly usualLook?: number
  /** Whether a snapshot holds the application at all. */
  isThere(declared: Declared, tree: Tree): boolean
  /**
   * What a render process is asked. `startedBy`: as it would look, had another program started it, with the labels of that
   * one. Throws a problem.
   */
  request(
    declared: Declared,
    snapshot: Snapshot,
    context: RenderContext,
    startedBy?: Orphan,
  ): RenderRequest
  /** Hears the result of each render. */
  answered?(declared: Declared, answer: RenderAnswer): void
  /** Why a resource that a render does not declare is left alone, where parts of the declaration are inactive. */
  leaves?(inactive: readonly string[]): Rendered['leaves']
  /** Fetches or builds what a render lacks (`needs`). Gives true when it is to be rendered again. Throws a problem. */
  prepare?(
    declared: Declared,
    snapshot: Snapshot,
    needs: string,
    tasks: TaskRunner,
    signal: AbortSignal,
  ): Promise<boolean>
  /** Hash over everything that a render depends on beside its files. */
  inputHash(declared: Declared, context: RenderContext): string
  /** Hash over all that is declared: where it is the same, no run is needed. */
  hashOf(rendered: Rendered): string
  /** Why a resource is left alone that is not declared and that no successful run had; undefined: it is pruned as others are. */
  keepsUnproven?(ref: Ref): string | undefined
  /** A problem of a run in the words of this kind: which resource it is about, and where that is declared. */
  explain?(problem: ProblemFacts, rendered: Rendered): ProblemFacts
  /** The place that an address names; throws a problem when it names none. Makes no connection. */
  find(target: string | undefined): EngineAddress
  /** Makes a connection that sends nothing before it is used. */
  connect(place: EngineAddress, instance: string, service?: ServiceConnection): Connection
}

/** What the service adds to a connection, which serves all applications of a place. */
export type ServiceConnection = {
  /** Is called for each call that is made there. */
  called(): void
  /** Present where applications come from repositories, and are confined to what the policy allows. Commands confine nothing. */
  readonly followed?: FollowedFiles
}

export type FollowedFiles = {
  readonly bindFiles: BindFiles
  /** Runs work on the files of the application with this key. */
  tasksFor(key: string): TaskRunner
  /** What no other application knows, by which the layers of its builds are told from those of others. */
  cacheKeyOf(key: string): string
  /** Of the application `key`: another one of the service at that place, by its key too. Undefined: there is none. */
  neighbourOf(key: string, other: string): Neighbour | undefined
}

export type Neighbour = {
  /** `first`: what both would call by one name is the neighbour's. The operator declared it, or it was found in an earlier place. */
  readonly comes: 'first' | 'beside' | 'later'
}
