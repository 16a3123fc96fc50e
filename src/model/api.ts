/** What /api/v1 answers beyond the model's own types: lists in pages, the graph, a plan with an address, the time-line. */
import type { HealthState, Since, Sync, SyncShown, SyncState } from './assessment.ts'
import type { Outcome, Summary, Trigger } from './event.ts'
import type { Json } from './json.ts'
import type { Change, Plan } from './plan.ts'
import type { ProblemFacts } from './problem.ts'
import type { Ref } from './ref.ts'
import type { AppStatus, ResourceStatus, SourceStatus } from './service.ts'

/**
 * Which applications: the query of `GET /api/v1/overview` and of `GET /api/v1/events`, so that a filtered list stays
 * live. All parts must fit. Several values of one part are written with commas, and one of them must fit.
 * In the stream `app` has an AppRow as its `status`, and an application that does not fit any more is told as `left`
 * (`{key}`). With `snapshot=false` the stream opens with `reset` in place of a snapshot of everything: whoever gets one
 * reads the overview (again).
 */
export type AppFilter = {
  /** A part of the key, source, target, revision, message, author or reason. Of several words each must be found. */
  readonly search?: string | undefined
  readonly kind?: string | undefined
  /** `synced`, `drifted`, `behind` (drifted only because the source has something newer), `missing`, `syncing`, `unknown`. */
  readonly sync?: string | undefined
  readonly health?: string | undefined
  readonly target?: string | undefined
  /** The address of the source as SourceStatus.shown has it, or `ADDRESS@REF`. */
  readonly source?: string | undefined
  /** `team=web` selects that value of the label, `team` any value. */
  readonly label?: string | undefined
  /** Only those that are suspended, that wait for an acknowledgement, or that are neither well nor as declared. */
  readonly only?: 'suspended' | 'waiting' | 'attention' | undefined
}

export type AppSort = 'name' | 'attention' | 'changed' | 'kind' | 'target' | 'source'

export type OverviewQuery = AppFilter & {
  /** Without it the order is `attention`: what is not well comes first. A leading `-` turns the order round. */
  readonly sort?: AppSort | `-${AppSort}` | undefined
  readonly group?: 'target' | 'kind' | 'source' | `label:${string}` | undefined
  /** How many rows a page has: 100 by default, at most 500. */
  readonly limit?: number | undefined
  /** The `next` of the page before. */
  readonly cursor?: string | undefined
  /** For a list that scrolls: the first row to give, counted from 0, in place of a cursor. */
  readonly offset?: number | undefined
}

/** `GET /api/v1/overview`. All counts are over everything that the filter lets through, not over one page. */
export type Overview = {
  readonly total: number
  /** `behind` are those that are drifted only because their source has something newer: they are not counted as `drifted`. */
  readonly sync: Readonly<Record<SyncShown, number>>
  readonly health: Readonly<Record<HealthState, number>>
  /** How many are neither well nor as declared, or wait for somebody. */
  readonly attention: number
  /** How many are suspended and never ran: they need nobody, and are not well either. */
  readonly leftAlone: number
  /** How many are well and not what their source says now, such as after a rollback. */
  readonly outdated: number
  /** Of those that need somebody the one that needs it most, in whatever order the rows come. */
  readonly worst?: AppRow
  /** The names of the labels that these applications carry: a list can be grouped by them. */
  readonly labels: readonly string[]
  readonly groups?: readonly {
    readonly name: string
    readonly total: number
    /** How many of these are neither well nor as declared. */
    readonly attention: number
  }[]
  readonly apps: readonly AppRow[]
  readonly next?: string
}

/** An application as a row of a list: its AppStatus, and what only lists show. */
export type AppRow = AppStatus & {
  /** The commit that is in force; absent where the source has no commits. */
  readonly commit?: CommitFacts
  /** The keys of the applications that this one waits for now. */
  readonly blockedBy: readonly string[]
  /** The source has something newer than what is in force, and it is not applied (suspended, a window, a failure). */
  readonly isUpdateAvailable: boolean
  readonly labels: Readonly<Record<string, string>>
}

export type CommitFacts = {
  readonly revision: string
  /** The first line of the commit's message. */
  readonly message: string
  readonly author: string
  /** ms */
  readonly at: number
  readonly isSigned?: boolean
}

/** `GET /api/v1/apps/KEY/graph`. */
export type Graph = {
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
}

export type GraphNode = {
  /** A ref, or the key of another application. */
  readonly id: string
  readonly type: 'resource' | 'app'
  /** `container`, `network`, `Deployment`; for another application its kind. */
  readonly kind: string
  readonly name: string
  readonly sync: SyncState
  /** Absent: the resource has no health of its own. */
  readonly health?: HealthState
  readonly reason: string
  /** The node that made this one, where another resource of the application did: the Deployment of a pod. */
  readonly parent?: string
}

/** An edge says that `from` needs `to`. */
export type GraphEdge = {
  readonly from: string
  readonly to: string
  readonly until: 'exists' | 'started' | 'healthy' | 'completed'
}

/** `GET /api/v1/apps/KEY/resources/REF` (the ref as one part of the path, `/` written `%2F`). */
export type ResourceDetail = ResourceStatus & {
  /** The resource as it is declared now, with secrets masked; absent: it is not declared any more. */
  readonly declared?: Json
  /** The resource as it runs; absent: it does not run, or can't be seen. */
  readonly running?: Json
  /** Where the resource is declared. */
  readonly origin?: FieldOrigin
  /** Fields of what is declared with the line that says so and who changed it last, in the order of the file. */
  readonly lines: readonly {
    readonly path: string
    readonly value: Json
    readonly origin: FieldOrigin
  }[]
  /** Each differing field with the place that declares it. */
  readonly fields: readonly (Change & { readonly origin?: FieldOrigin })[]
  readonly needs: readonly Ref[]
  readonly neededBy: readonly Ref[]
  /** The names of the containers whose logs belong to this resource. */
  readonly containers: readonly string[]
  /** The last things that happened to this resource, newest first. */
  readonly events: readonly TimelineEntry[]
}

export type FieldOrigin = {
  /** The path of the file, relative to the source. */
  readonly file: string
  readonly line: number
  readonly column?: number
  /** The commit that changed this line last; absent where the source has no commits. */
  readonly commit?: CommitFacts
}

/**
 * `POST /api/v1/plans` `{ "apps": [KEY…], "run"?: N, "fresh"?: true, "adopt"?: true, "prune"?: true }` makes one, `GET /api/v1/plans/ID`
 * shows it again, to anyone who may see its applications. With `fresh` the sources are asked first.
 */
export type SharedPlan = {
  readonly id: string
  /** ms */
  readonly at: number
  readonly by: string
  readonly apps: readonly {
    readonly key: string
    /** What the plan is of: `POST /api/v1/apps/KEY/sync` with both runs exactly that, or is refused with 409. */
    readonly revision: string
    readonly hash?: string
    readonly plan?: Plan
    readonly problem?: ProblemFacts
    /** Why the source could not be asked: the plan is of what was read last. */
    readonly unread?: ProblemFacts
    /** Each changed field with the place that declares it, by `ref` and then by path. */
    readonly origins?: Readonly<Record<Ref, Readonly<Record<string, FieldOrigin>>>>
    /** The plan would be another one by now, because the source or what runs has changed. */
    readonly isOutdated: boolean
  }[]
}

/** `GET /api/v1/runs?app=KEY&cursor=…&limit=…`: pages of runs, newest first. */
export type RunPage = {
  readonly runs: readonly RunRow[]
  readonly next?: string
}

export type RunRow = {
  readonly key: string
  readonly number: number
  readonly trigger: Trigger
  /** Who asked for the run; absent: the service itself began it. */
  readonly by?: string
  readonly version: string
  readonly commit?: CommitFacts
  readonly startedAt: number
  readonly endedAt?: number
  readonly outcome?: Outcome
  readonly isRolledBack: boolean
  readonly summary?: Summary
  /** The hash of what was declared: equal hashes are equal declarations. */
  readonly hash: string
  /** The snapshot of the run is kept, so that one can go back to it. */
  readonly hasSnapshot: boolean
}

/** `GET /api/v1/timeline?from=MS&to=MS&app=KEY&types=run,health&limit=N`: newest first, with the overview's filter too. */
export type Timeline = {
  readonly entries: readonly TimelineEntry[]
  /** The `to` that the request for the next page has to have. */
  readonly next?: number
}

export type TimelineEntry = {
  /** ms */
  readonly at: number
  readonly type: 'run' | 'sync' | 'health' | 'alert' | 'commit' | 'action' | 'source'
  /** The key of the application; absent: the entry concerns all applications, or a source. */
  readonly key?: string
  readonly ref?: Ref
  /** What happened, in one sentence. */
  readonly text: string
  readonly tone: 'good' | 'bad' | 'neutral'
  readonly by?: string
  readonly run?: number
  readonly commit?: CommitFacts
  /** How long it lasted, ms; absent for what has no duration. */
  readonly duration?: number
}

/** `GET /api/v1/apps/KEY/logs?since=MS&search=TEXT&tail=N&follow=true&containers=a,b`: one of these a line (JSON lines; as server-sent events with `Accept: text/event-stream`). */
export type LogLine = {
  readonly at: number
  readonly container: string
  readonly stream: 'stdout' | 'stderr'
  readonly text: string
}

/** `GET /api/v1/sources`, each with what only lists show; `POST /api/v1/sources/ID/refresh` asks one. */
export type SourceRow = SourceStatus & {
  readonly id: string
  readonly commit?: CommitFacts
  readonly apps: number
}

/** `GET /api/v1/targets`: engines and clusters. None of it asks a target: it is what was seen last. */
export type TargetRow = {
  readonly name: string
  /** `docker`, `podman`, `kubernetes`. */
  readonly engine: string
  readonly version?: string
  readonly processors?: number
  /** bytes */
  readonly memory?: number
  /** How many nodes the cluster has; absent for an engine that is none. */
  readonly nodes?: number
  readonly state: 'reachable' | 'unreachable' | 'unknown'
  readonly reason: string
  readonly since: number
  readonly apps: number
  readonly attention: number
  readonly containers: { readonly running: number; readonly total: number }
  /** How many runs are under way there now. */
  readonly runs: number
}

/**
 * What can be done with an application, by name. Null: it can be used now. A sentence: why it can't be. Absent: there is no
 * such thing for this application, or nobody built it.
 */
export type Actions = Readonly<Partial<Record<ActionName, string | null>>>

export type ActionName =
  | 'sync'
  | 'suspend'
  | 'resume'
  | 'acknowledge'
  | 'adopt'
  | 'restart'
  | 'rollback'
  | 'prune'
  | 'forget'

/** `GET /api/v1/apps/KEY/detail`: all that the page of an application begins with. */
export type AppDetail = AppRow & {
  readonly actions: Actions
  /** Whether there are logs to read where the application runs. */
  readonly hasLogs: boolean
  readonly drift: readonly (Sync &
    Since & {
      readonly ref: Ref
      /** `ignore`: the lines of tend.yaml that leave this field to whoever changes it by hand. */
      readonly changes: readonly (Change & {
        readonly origin?: FieldOrigin
        readonly ignore?: string
      })[]
    })[]
  /** The lines of tend.yaml that leave all that drifts alone; absent: it has no such rule. */
  readonly ignoreAll?: string
  /** What holds an application where it is after a rollback: the sentence, and what lets it go on. */
  readonly heldBy?: { readonly reason: string; readonly release: string }
}
