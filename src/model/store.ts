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
  /** The images of its containers, by ref. Absent in runs that recorded none. */
  readonly images?: Images
  /** The revision that was applied, where the source has revisions. */
  readonly revision?: string
  /** Who asked for it; absent: nobody did, or nobody knows. */
  readonly by?: string
}

/** The run at which a page of runs ended. */
export type RunPlace = {
  readonly startedAt: number
  readonly key: string
  readonly number: number
}

/** A run with the key of its application: `stack:web`, as keyOf gives it. */
export type AppRun = { readonly key: string; readonly run: RunRecord }

export type NewRun = {
  readonly application: Application
  readonly since: number
  readonly trigger: Trigger
  readonly version: string
  readonly startedAt: number
  readonly hash: string
  readonly snapshot: StoredSnapshot
  /** The generation of the lease under which the run began. When another run has taken the lease since, writes of this one are refused. */
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
  /** The runs of all applications, newest first. With `after`: only runs that come after this place in the list. */
  recent(most: number, after?: RunPlace): Promise<readonly AppRun[]>
  /** Gives the newest runs first. */
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
  /** It grows each time somebody takes this lease: whatever carries an older generation comes from an earlier holder. */
  readonly generation: number
  /** Whether it may still be acted on, by a clock that nobody can set. Asked before each call that changes something. */
  isHeld(): boolean
}

export type Leases = {
  /** Gives the lease at once, or says who holds it. */
  take(key: string, holder: string): Promise<Lease | Holder>
}

/** What the service remembers between runs (suspended, acknowledged, back-off, tokens): JSON under a topic and a key. */
export type Notes = {
  read(topic: string): Promise<ReadonlyMap<string, Json>>
  get(topic: string, key: string): Promise<Json | undefined>
  /** Adds a note if there is none yet, and gives whether it was added. When several add the same note at once, one does. */
  add(topic: string, key: string, note: Json): Promise<boolean>
  /** Durable when it resolves; undefined forgets it. */
  write(topic: string, key: string, note: Json | undefined): Promise<void>
}
