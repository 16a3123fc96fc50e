/** What the service knows of its applications and what it can be asked: the port that API, command line and dashboard use. */
import type { Application } from './application.ts'
import type { Health, ResourceAssessment, Since, Sync } from './assessment.ts'
import type { ContainerCount } from './container-count.ts'
import type { Event, Outcome, Summary, Trigger } from './event.ts'
import type { Plan } from './plan.ts'
import type { ProblemFacts } from './problem.ts'
import type { Ref } from './ref.ts'
import type { ServiceViews } from './service-views.ts'
import type { AppRun, RunRecord } from './store.ts'

export type State =
  | 'missing'
  | 'syncing'
  | 'synced'
  | 'deleting'
  | 'failed'
  /** What runs differs from what was applied, and policy says to leave it. */
  | 'drifted'
  | 'suspended'

export type Version = {
  readonly revision: string
  readonly message: string
  /** The hash of the rendered resources: while it is the same no run is needed. */
  readonly hash: string
}

export type AppStatus = {
  /** `stack:web`, as keyOf gives it. */
  readonly key: string
  readonly application: Application
  readonly state: State
  /** A sentence: why it failed, what it waits for, what drifted. Empty when all is well. */
  readonly reason: string
  /** Does what runs equal what was declared? */
  readonly sync: Sync & Since
  /** Does it work? */
  readonly health: AppHealth
  /** What the source says; undefined before the first look, or when it is gone from the source. */
  readonly desired: Version | undefined
  /** What was last applied with success: also after a restart, from labels. */
  readonly synced: (Version & { readonly at: number }) | undefined
  readonly lastRun:
    | {
        readonly number: number | undefined
        readonly trigger: Trigger
        readonly outcome: Outcome
        readonly isRolledBack: boolean
        readonly at: number
        readonly problem: ProblemFacts | undefined
        readonly summary: Summary
      }
    | undefined
  /** When it is tried again, ms; undefined: not by itself. */
  readonly nextTry: number | undefined
  /** How many runs failed one after the other, up to now. */
  readonly failures: number
  readonly isSuspended: boolean
  /** Its source was read and declares it no more. */
  readonly isUndeclared?: true
  readonly needsAcknowledgement: boolean
  readonly containers: ContainerCount
  readonly source: {
    readonly shown: string
    readonly ref: string
    readonly path: string
    /** The first Compose file, relative to the folder; Chart.yaml for a chart. */
    readonly file: string
  }
  readonly target: string
  readonly dependsOn: readonly string[]
  /** What its policy lets pass and names, and what else its render warned of; absent: nothing. */
  readonly warnings?: readonly string[]
  /** The newest revision of its source is not used: what was applied before stays. */
  readonly refused?: RefusedRevision
  /** The labels of its declaration. Filters and tokens select by them. */
  readonly labels?: Readonly<Record<string, string>>
}

export type AppHealth = Health &
  Since & {
    /** The application is not well, and Tend tries nothing more by itself: a person has to look. */
    readonly isGivenUp: boolean
  }

/** Whether some or all of the application does not work. */
export function isUnwell({ health }: Pick<AppStatus, 'health'>): boolean {
  return health.state === 'failed' || health.state === 'degraded'
}

/** One resource of an application, with both answers. */
export type ResourceStatus = Omit<ResourceAssessment, 'health' | 'sync'> & {
  readonly sync: ResourceAssessment['sync'] & Since
  readonly health: (Health & Since) | undefined
}

export type ContainerStatus = {
  readonly id: string
  readonly name: string
  readonly service: string
  readonly state: string
  readonly health: 'healthy' | 'unhealthy' | 'starting' | 'none'
  readonly image: string
  readonly ports: string
  /** The resource that the container belongs to, where it is not a resource itself: the Deployment of a pod's container. */
  readonly ref?: Ref
}

export type SourceStatus = {
  readonly shown: string
  readonly ref: string
  readonly revision: string
  readonly message: string
  /** `declarations`: the files of tend.yaml themselves, listed only while what they say is refused. */
  readonly refType:
    | 'branch'
    | 'tag'
    | 'commit'
    | 'directory'
    | 'artifact'
    | 'table'
    | 'declarations'
  /** When the source was last asked, ms; 0: never. */
  readonly at: number
  readonly state: 'queued' | 'refreshing' | 'completed' | 'failed'
  readonly problem: ProblemFacts | undefined
  /** The revision does not come from the one that was read before: somebody pushed with force. Until it moves again. */
  readonly rewritten?: Rewritten | undefined
  /** The newest revision is not used, such as a commit that nobody signed who may: what was read before stays. */
  readonly refused?: RefusedRevision | undefined
}

export type RefusedRevision = {
  readonly revision: string
  /** When it was first refused, ms. */
  readonly since: number
  /** Why, with the key where a signature is at fault. */
  readonly problem: ProblemFacts
}

export type Rewritten = {
  /** The revision that was read before. */
  readonly from: string
  /** When that was found, ms. */
  readonly at: number
}

export type ServiceEvent =
  | { readonly type: 'app'; readonly status: AppStatus }
  | { readonly type: 'gone'; readonly key: string; readonly at: number }
  | { readonly type: 'source'; readonly status: SourceStatus }
  | { readonly type: 'run'; readonly key: string; readonly event: Event }

/** The answer to whoever asked for a run and waits for its end. */
export type SyncAnswer = {
  readonly status: AppStatus
  readonly outcome: Outcome | undefined
  /** Why its source could not be read. The run then used what was read before. */
  readonly unread?: ProblemFacts | undefined
}

export type Pushed = {
  /** The clone addresses that the forge names; empty: any repository is meant. */
  readonly urls: readonly string[]
  /** The ref that was pushed, such as `refs/heads/main`; undefined: any. */
  readonly ref: string | undefined
  readonly revision: string | undefined
  /** Who pushed, as far as it was told. */
  readonly by?: string | undefined
}

export type Metrics = {
  /** All metrics in Prometheus' text form. */
  text(): string
  count(name: string, labels: Readonly<Record<string, string>>, by?: number): void
  observe(name: string, labels: Readonly<Record<string, string>>, seconds: number): void
}

/** What is refused unless somebody says that it is meant. */
export type Allowed = {
  readonly empty: boolean
  readonly massDelete: boolean
  /** Who asks, for the record. */
  readonly by?: string
  /** Containers that another program started under the name of this application are adopted, and made anew where they differ. */
  readonly adopts?: boolean
  /** Volumes that the application made and no longer declares are removed too. */
  readonly prunesVolumes?: boolean
  /** What somebody saw the plan of: a run of anything else is refused with `conflict`. */
  readonly expected?: Expected | undefined
}

/** What a run is made of: the revision of the source, and the hash of what that declares with the values and settings of tend.yaml. */
export type Expected = { readonly revision: string; readonly hash: string }

/** The run to go back to; undefined: the last successful one before the present one. */
export type Back = { readonly run: number | undefined }

/** Each function that takes a key throws a problem with code `not_found` for an unknown one. */
export type Service = ServiceViews & {
  readonly instance: string
  readonly projectName: string
  /** Every application was looked at since the start, so that its status is known. */
  isReady(): boolean
  apps(): readonly AppStatus[]
  app(key: string): AppStatus
  /** The labels that the operator declares for it now. Undefined: they are not read yet, as after a start. */
  labelsOf(key: string): Readonly<Record<string, string>> | undefined
  sources(): readonly SourceStatus[]
  /** Asks all sources now; `by` is told in the runs that follow. `queued`: they are being asked already, and are asked once more after that. */
  refresh(by?: string): 'refreshing' | 'queued'
  /** Asks the sources that the push is about. Gives the keys of their applications, and a promise that ends with their runs. */
  pushed(push: Pushed): {
    readonly keys: readonly string[]
    /** The push is about a source that is followed, even where no application of it is known yet. */
    readonly isFollowed: boolean
    readonly done: Promise<readonly SyncAnswer[]>
  }
  /** `begun` is called when the run begins, and what it applies is what was expected. */
  sync(key: string, allowed?: Allowed, begun?: () => void): Promise<SyncAnswer>
  rollback(key: string, run: number | undefined, allowed?: Allowed): Promise<SyncAnswer>
  /** What a sync would do now, drift included. With `back`: what a rollback would do. With `adopts`: what a sync that adopts would do. */
  plan(
    key: string,
    signal: AbortSignal,
    back?: Back,
    how?: Pick<Allowed, 'adopts' | 'prunesVolumes'>,
  ): Promise<Plan>
  suspend(key: string): Promise<AppStatus>
  /** `by` is told in the run that follows, if one does. */
  resume(key: string, by?: string): Promise<AppStatus>
  /** Forgets an application that is gone from its source. What runs of it stays. Gives its last status. */
  forget(key: string): Promise<AppStatus>
  acknowledge(key: string, by?: string): Promise<SyncAnswer>
  runs(key: string): Promise<readonly RunRecord[]>
  /** Runs of all applications of this service, newest first. */
  recentRuns(most: number): Promise<readonly AppRun[]>
  events(key: string, run: number): Promise<readonly Event[]>
  containers(key: string, signal: AbortSignal): Promise<readonly ContainerStatus[]>
  /** Looks at each declared resource now, and gives its sync and health. */
  resources(key: string, signal: AbortSignal): Promise<readonly ResourceStatus[]>
  logs(
    key: string,
    container: string,
    wanted: { readonly tail: number | undefined; readonly follows: boolean },
    signal: AbortSignal,
  ): AsyncIterable<string>
  /** Calls `tell` with every change from now on, until the function that it returns is called. */
  listen(tell: (event: ServiceEvent) => void): () => void
  readonly metrics: Metrics
}
