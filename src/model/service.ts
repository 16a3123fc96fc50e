/** What the service knows of its applications and what it can be asked: the face that API, command line and dashboard see. */
import type { Application } from './application.ts'
import type { Health, ResourceAssessment, Since, Sync } from './assessment.ts'
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
  /** Over the rendered resources: equal hashes need no run. */
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
  /** In a row. */
  readonly failures: number
  readonly isSuspended: boolean
  readonly needsAcknowledgement: boolean
  readonly containers: { readonly running: number; readonly total: number }
  readonly source: {
    readonly shown: string
    readonly ref: string
    readonly path: string
    /** The first Compose file, relative to the folder; Chart.yaml for a chart. */
    readonly file: string
  }
  readonly target: string
  readonly dependsOn: readonly string[]
  /** The operator's own words for it; absent: none. */
  readonly labels?: Readonly<Record<string, string>>
}

export type AppHealth = Health &
  Since & {
    /** It is not well, and nothing more is tried by itself: somebody has to look. */
    readonly isGivenUp: boolean
  }

/** Some of it, or all, does not work. */
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
  /** The resource that made it, where it is none itself: the Deployment of a pod's container. */
  readonly ref?: Ref
}

export type SourceStatus = {
  readonly shown: string
  readonly ref: string
  readonly revision: string
  readonly message: string
  readonly refType: 'branch' | 'tag' | 'commit' | 'directory' | 'artifact' | 'table'
  /** When it was last asked, ms; 0: never. */
  readonly at: number
  readonly state: 'queued' | 'refreshing' | 'completed' | 'failed'
  readonly problem: ProblemFacts | undefined
  /** The revision does not come from the one that was read before: somebody pushed with force. Until it moves again. */
  readonly rewritten?: Rewritten | undefined
}

export type Rewritten = {
  /** What was read before. */
  readonly from: string
  /** When that was found, ms. */
  readonly at: number
}

export type ServiceEvent =
  | { readonly type: 'app'; readonly status: AppStatus }
  | { readonly type: 'gone'; readonly key: string; readonly at: number }
  | { readonly type: 'source'; readonly status: SourceStatus }
  | { readonly type: 'run'; readonly key: string; readonly event: Event }

/** What one is told who asked for a run and waits for its end. */
export type SyncAnswer = {
  readonly status: AppStatus
  readonly outcome: Outcome | undefined
  /** Why its source could not be asked: what was read before is what counts. */
  readonly unread?: ProblemFacts | undefined
}

export type Pushed = {
  /** Clone addresses that the forge names; empty: any repository. */
  readonly urls: readonly string[]
  /** `refs/heads/main`; undefined: any. */
  readonly ref: string | undefined
  readonly revision: string | undefined
}

export type Metrics = {
  /** In Prometheus' text form. */
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
  /** What another program started under its name is taken over, and made anew where it differs. */
  readonly adopts?: boolean
  /** Volumes that it made and declares no more go too. */
  readonly prunesVolumes?: boolean
}

/** To an earlier run; undefined: the last good one before. */
export type Back = { readonly run: number | undefined }

/** Throws a problem with code `not_found` for a key that it does not know. */
export type Service = ServiceViews & {
  readonly instance: string
  readonly projectName: string
  /** Everything is looked at once: statuses are known. */
  isReady(): boolean
  apps(): readonly AppStatus[]
  app(key: string): AppStatus
  sources(): readonly SourceStatus[]
  /** All sources are asked now. `queued`: that goes on already, and happens once more after it. */
  refresh(trigger: 'manual' | 'webhook'): 'refreshing' | 'queued'
  /** Only sources that fit; gives the keys of applications they hold. The promise ends with their runs. */
  pushed(push: Pushed): {
    readonly keys: readonly string[]
    /** A source fits, though nothing may be known of what it holds: it is asked in any case. */
    readonly isFollowed: boolean
    readonly done: Promise<readonly SyncAnswer[]>
  }
  sync(key: string, allowed?: Allowed): Promise<SyncAnswer>
  rollback(key: string, run: number | undefined, allowed?: Allowed): Promise<SyncAnswer>
  /** What a sync would do now, with drift; with `back`, what going back would do; `adopts`: as a sync that takes over would. */
  plan(
    key: string,
    signal: AbortSignal,
    back?: Back,
    how?: Pick<Allowed, 'adopts' | 'prunesVolumes'>,
  ): Promise<Plan>
  suspend(key: string): Promise<AppStatus>
  resume(key: string): Promise<AppStatus>
  /** Lists one no more that is gone from its source; what runs of it stays. Gives how it was. */
  forget(key: string): Promise<AppStatus>
  acknowledge(key: string, by?: string): Promise<SyncAnswer>
  runs(key: string): Promise<readonly RunRecord[]>
  /** Of all applications that it looks after, newest first. */
  recentRuns(most: number): Promise<readonly AppRun[]>
  events(key: string, run: number): Promise<readonly Event[]>
  containers(key: string, signal: AbortSignal): Promise<readonly ContainerStatus[]>
  /** Each resource that is declared, with both answers: looked at now. */
  resources(key: string, signal: AbortSignal): Promise<readonly ResourceStatus[]>
  logs(
    key: string,
    container: string,
    wanted: { readonly tail: number | undefined; readonly follows: boolean },
    signal: AbortSignal,
  ): AsyncIterable<string>
  /** Every change from now on; the function ends it. */
  listen(tell: (event: ServiceEvent) => void): () => void
  readonly metrics: Metrics
}
