/** What is remembered of runs. Truth about what is applied is on the resources themselves: losing this loses history only. */
import type { Application, Recalled } from './application.ts'
import type { Event, Outcome, Summary, Trigger } from './event.ts'
import type { Images } from './image.ts'
import type { Json } from './json.ts'
import type { Resource } from './resource.ts'

/** A rendered snapshot that can be applied again without its files. `secrets` are encrypted at rest. */
export type StoredSnapshot = {
  readonly version: string
  readonly resources: readonly Resource[]
  readonly secrets: ReadonlyMap<string, Uint8Array>
  /** What `rollback`, `upgrade NAME` and `list` want to know: path, values, chart metadata. */
  readonly source: Json
}

export type ApplicationRecord = {
  readonly application: Application
  /** ms; with the instance's key it yields the seed of templates. */
  readonly since: number
  /** Where it was last applied from, as the front end put it there. */
  readonly source: Json
  readonly lastRun: RunRecord | undefined
  readonly isUninstalled: boolean
  /** What the target itself tells of it, where the history knows nothing. */
  readonly recalled?: Recalled
}

export type RunRecord = {
  readonly number: number
  readonly trigger: Trigger
  readonly version: string
  readonly startedAt: number
  readonly endedAt: number | undefined
  /** Undefined while it runs, and for ever if it was killed. */
  readonly outcome: Outcome | undefined
  readonly isRolledBack: boolean
  readonly summary: Summary | undefined
  /** Hash of the rendered resources: what a no-op is told by. */
  readonly hash: string
  readonly hasSnapshot: boolean
  /** Of its containers, by ref. Absent in runs that recorded none. */
  readonly images?: Images
  /** What it was applied from, where that has revisions. */
  readonly revision?: string
  /** Who asked for it; absent: nobody did, or nobody knows. */
  readonly by?: string
}

/** Where a page of runs ended: at this one. */
export type RunPlace = {
  readonly startedAt: number
  readonly key: string
  readonly number: number
}

/** A run and whose it is: `stack:web`, as keyOf gives it. */
export type AppRun = { readonly key: string; readonly run: RunRecord }

export type NewRun = {
  readonly application: Application
  readonly since: number
  readonly trigger: Trigger
  readonly version: string
  readonly startedAt: number
  readonly hash: string
  readonly snapshot: StoredSnapshot
  /** Of the lease that it was begun under: writes of a run whose lease another one has taken since are refused. */
  readonly generation?: number
}

export type Store = {
  applications(): Promise<readonly ApplicationRecord[]>
  application(application: Application): Promise<ApplicationRecord | undefined>
  /** Opens a run and keeps its snapshot; gives its number (1, 2, … for each application). */
  begin(run: NewRun): Promise<number>
  /** Durable when it resolves. Progress events are not kept. */
  append(application: Application, run: number, event: Event): Promise<void>
  end(
    application: Application,
    run: number,
    result: {
      readonly endedAt: number
      readonly outcome: Outcome
      readonly isRolledBack: boolean
      readonly summary: Summary
      readonly isUninstalled: boolean
      readonly images?: Images
    },
  ): Promise<void>
  /** Of all applications, newest first; only those after this place. */
  recent(most: number, after?: RunPlace): Promise<readonly AppRun[]>
  /** Newest first. */
  runs(application: Application): Promise<readonly RunRecord[]>
  events(application: Application, run: number): Promise<readonly Event[]>
  snapshot(application: Application, run: number): Promise<StoredSnapshot | undefined>
  close(): Promise<void>
}

export type Holder = { readonly name: string; readonly since: number }

/** A right to run an application, kept alive while held; a killed holder's expires. */
export type Lease = {
  release(): Promise<void>
  readonly lost: AbortSignal
  /** Grows each time somebody takes this lease: what carries an older one comes from a holder of the past. */
  readonly generation: number
  /** Whether it may still be acted on, by a clock that nobody can set. Asked before each call that changes something. */
  isHeld(): boolean
}

export type Leases = {
  /** At once: the lease, or who holds it. */
  take(key: string, holder: string): Promise<Lease | Holder>
}

/** What the service remembers between runs (suspended, acknowledged, back-off, tokens): JSON under a topic and a key. */
export type Notes = {
  read(topic: string): Promise<ReadonlyMap<string, Json>>
  get(topic: string, key: string): Promise<Json | undefined>
  /** Only if there is none yet. Gives whether it was: of several who add the same at once one does. */
  add(topic: string, key: string, note: Json): Promise<boolean>
  /** Durable when it resolves; undefined forgets it. */
  write(topic: string, key: string, note: Json | undefined): Promise<void>
}
