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

/** Light: whatever is heavy is loaded when it is needed, so that a command pays only for the kinds it uses. */
export type ApplicationKind = {
  /** As `Application.kind` has it. */
  readonly name: string
  readonly words: KindWords
  /** Absent: the service is not told of such applications in tend.yaml as of others. */
  declaration?(): Promise<KindDeclaration>
  /** Objects of a cluster declare them too. */
  readonly objects?: {
    /** How such an object says that removing most of what an application has is meant. */
    allowRemoval(application: Application, revision: string): string
  }
  /** A folder with this file is what `tend install` and `tend plan` take. Absent: its own verbs install it. */
  readonly installs?: { readonly file: string }
  /** The first word of verbs that are about this kind alone: `compose`. */
  readonly verbGroup?: string
  /** Verbs of its own look after it from the command line: those that all kinds share do not reach it there. */
  readonly hasOwnVerbs?: true
  /** Its applications are declared by rows, which are shown and changed one by one; what one is called, and many are. */
  readonly rows?: { readonly noun: string; readonly plural: string }
  /** What runs its applications. Absent: it can't be had without more than a target. Undefined: without `around` it can't. */
  load?(around?: KindAround): Promise<LoadedKind | undefined>
  /** Renders what a snapshot holds, in a render process. Reads nothing but the snapshot; problems are in the answer. */
  render?(request: RenderRequest): Promise<RenderAnswer>
  /** Does a task of this kind, in a render process. */
  perform?(task: KindTask): Promise<unknown>
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
  /** In headings: "Stack name: web". */
  readonly title: string
  /** The key under which documents list them: "stacks". */
  readonly plural: string
  /** The command that takes an application away; undefined: there is none. */
  removeCommand?(application: Application): string
  /** The command that makes one of its files, and what it takes; absent: there is none. */
  readonly applyCommand?: { readonly command: string; readonly takes: 'FILE' | 'PATH' }
  /** The type of problems that come from what runs it, as documents have it; absent: `runtime`. */
  readonly runtimeProblem?: string
  /** What a container is called for, where several have one name in the declaration: `web-1` is one of `web`. */
  readonly serviceOf?: (container: string) => string
  /** How the command line is told which application is meant. */
  argument(application: Application): string
}

export type LoadedKind = {
  readonly name: string
  /** What runs it, as `--offer` calls that: docker, podman, kube. */
  readonly engines: readonly [string, ...string[]]
  /** What its file is called as a rule: the first that is there counts. */
  readonly files: readonly [string, ...string[]]
  /** The mark of an application tells which discovery it comes from. */
  readonly marksDiscovery?: boolean
  /** The source that a table is, where applications of this kind come from one. `cache`: a folder for its snapshots. */
  table?(source: Extract<SourceDeclared, { readonly kind: 'table' }>, cache: string): Repository
  /** Why there is no going back to an earlier run; absent: there is. */
  readonly noRollback?: { readonly message: string; readonly suggestion: string }
  /** Resources are nobody else's trouble: what is no longer declared goes also where another one failed. */
  readonly removesAnyway?: true
  /** Its runs may take many minutes, and nobody else waits for what they use: they take no place from others. */
  readonly runsBeside?: true
  /** How often what runs is looked at where no application of it wants that more often, ms; absent: as is usual. */
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
  /** Hears what came of a render. */
  answered?(declared: Declared, answer: RenderAnswer): void
  /** Why one that a render does not declare stays, where some of what is declared is inactive. */
  leaves?(inactive: readonly string[]): Rendered['leaves']
  /** Gets what a render can't do by itself, where it can be had; true: render again. Throws a problem. */
  prepare?(
    declared: Declared,
    snapshot: Snapshot,
    needs: string,
    tasks: TaskRunner,
    signal: AbortSignal,
  ): Promise<boolean>
  /** Hash over whatever else than files decides on what a render gives. */
  inputHash(declared: Declared, context: RenderContext): string
  /** Over everything that is wanted: equal hashes need no run. */
  hashOf(rendered: Rendered): string
  /** Why this one is left alone when it is not declared and no run that went well had it; undefined: it goes as others do. */
  keepsUnproven?(ref: Ref): string | undefined
  /** A problem of a run in its own words: whose it is, and where that one is declared. */
  explain?(problem: ProblemFacts, rendered: Rendered): ProblemFacts
  /** The place that an address means; throws a problem when there is none. Makes no connection. */
  find(target: string | undefined): EngineAddress
  /** Nothing is sent before the connection is used. */
  connect(place: EngineAddress, instance: string, service?: ServiceConnection): Connection
}

/** What the service, whose connections serve all applications of a place, wants of one. */
export type ServiceConnection = {
  /** Hears of every call that is made there. */
  called(): void
  /** Of applications that are followed, which are confined. By hand nothing is. */
  readonly followed?: FollowedFiles
}

export type FollowedFiles = {
  readonly bindFiles: BindFiles
  /** For work on the files of the application with this key. */
  tasksFor(key: string): TaskRunner
}
