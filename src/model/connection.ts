/** A connection to the place where applications of one kind run. What a kind can't do there is absent. */
import type { Identity, Recalled } from './application.ts'
import type { Health } from './assessment.ts'
import type { Declared } from './declaration.ts'
import type { Kind, Rendered, Target } from './domain.ts'
import type { EngineAddress } from './engine-address.ts'
import type { Json } from './json.ts'
import type { Event, Outcome } from './event.ts'
import type { Ref } from './ref.ts'
import type { Rows } from './rows.ts'
import type { ContainerStatus } from './service.ts'
import type { Leases } from './store.ts'

/** One client for all applications that run there. */
export type RestartWish = {
  readonly owner: string
  /** Undefined: it is declared no more. */
  readonly declared: Declared | undefined
  readonly signal: AbortSignal
  warn(text: string): void
}

export type Connection = {
  readonly place: EngineAddress
  /** `docker`, `podman`, `kubernetes`: what one speaks with there. */
  readonly engine?: string
  /** What plans and applies for this owner: with its rights, its confinement, and what it may prune. */
  ports(owner: string, declared?: Declared): Ports
  /** Everything that is ours, in one round of lists. */
  list(signal: AbortSignal): Promise<Listing>
  /** What happens there, until the line breaks. Says `listening` first. */
  watch(signal: AbortSignal): AsyncIterable<News>
  ping(signal: AbortSignal): Promise<void>
  /** What answers there, and how large it is; absent: nobody there can say. */
  about?(signal: AbortSignal): Promise<EngineAbout>
  /** How long comparing one application with what runs may take, ms; absent: as long as is usual. */
  readonly compareTime?: number
  /** What runs there, by its labels: all that is known when the history is lost. */
  recall?(signal: AbortSignal): Promise<readonly Recalled[]>
  /** Notes on the place how an application's last run ended; without news the note is removed. */
  mark?(owner: string, news: Marked | undefined, signal: AbortSignal): Promise<void>
  /**
   * Takes over what another program started, as it is. Without a time nothing is written, and a plan through the ports of the
   * answer is made as if it had been.
   */
  adopt?(
    rendered: Rendered,
    identity: Identity,
    wish: AdoptionWish,
    signal: AbortSignal,
  ): Promise<Adoption & { readonly ports: Ports }>
  /** Whether the engine finds a folder of this machine under the same path. */
  sees?(folder: string): boolean
  /** What containers bind there, whoever's they are and whether they run or not. */
  bound?(signal: AbortSignal): Promise<readonly string[]>
  /** Removes images, by id, that no container uses and nothing else names; how many went. */
  removeImages?(ids: readonly string[], signal: AbortSignal): Promise<number>
  /** Stops a container of an application as it was declared to be stopped, and starts it again, if it may bind what it binds. */
  restart?(container: string, wish: RestartWish): Promise<void>
  containers?(owner: string, signal: AbortSignal): Promise<readonly ContainerStatus[]>
  /** What a container wrote, as it comes; `container` is its name there. */
  logs?(container: string, wanted: LogsAsked, signal: AbortSignal): AsyncIterable<string>
  /** The same with the time and the stream of each line; `since` in ms. */
  logLines?(
    container: string,
    wanted: LogsAsked & { readonly since: number | undefined },
    signal: AbortSignal,
  ): AsyncIterable<TimedLine>
  /** The rows that declare what runs there, where a table does. */
  readonly rows?: Rows
  close(): void
}

type LogsAsked = {
  /** Whose container it is, for who reaches it with its owner's rights alone: a cluster refuses without. */
  readonly owner?: string
  readonly tail: number | undefined
  readonly follows: boolean
}

export type EngineAbout = {
  /** `docker`, `podman`, `kubernetes`: what really answers; Podman speaks Docker's words too. */
  readonly engine: string
  readonly version: string
  readonly processors?: number
  /** bytes */
  readonly memory?: number
  /** Of a cluster. */
  readonly nodes?: number
}

export type Ports = {
  readonly kind: Kind
  readonly target: Target
  /** Where others than this store's Tends may change the same things: by this they take turns. Absent: by the store's leases. */
  readonly leases?: Leases
  /** Hears all that happens in a run, before the next thing is heard by anybody. */
  hear?(event: Event): Promise<void>
}
export type TimedLine = {
  /** ms */
  readonly at: number
  /** As the engine wrote it: finer than ms, and the same whenever it is asked. */
  readonly time: string
  readonly stream: 'stdout' | 'stderr'
  readonly text: string
}

/** What is said on the place of an application as a whole, beside what its resources say of themselves. */
export type Marked = {
  readonly revision: string
  readonly hash: string
  readonly outcome: Outcome
  readonly at: number
  /** The discovery that it comes from. */
  readonly foundBy?: string
  /** The run changed something. */
  readonly changed?: boolean
}

export type AdoptionWish = {
  /** ms; undefined: it is only looked at. */
  readonly at: number | undefined
  /** What is to be taken over: only what can stay as it is, or also what the next run makes anew. */
  readonly which: 'matching' | 'all'
  readonly declared?: Declared | undefined
}

export type Adoption = {
  /** Taken over as they are. */
  readonly matching: readonly Ref[]
  /** Not as they should be, with the reason: taken over and made anew by the run that follows, or left to whoever made them. */
  readonly differing: readonly { readonly ref: Ref; readonly why: string }[]
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
  /** Each container that was declared and is there. Undefined: this kind of application has none. */
  readonly listed?: readonly SeenContainer[] | undefined
  /** Whether it works, where the list tells that of it as a whole. Absent: its containers or its runs tell. */
  readonly health?: Health
  /** Another one whenever something changed that may be drift. */
  readonly fingerprint: string
}

/** What a list tells of a container, and what was declared of it. */
export type ListedHealth = {
  /** created, running, paused, restarting, exited, dead, and Podman's words. */
  readonly state: string
  readonly exitCode: number | undefined
  /** Undefined: it has no check, or lists of this engine do not tell. */
  readonly health: 'healthy' | 'unhealthy' | 'starting' | undefined
  /** Ending well is well. */
  readonly isOneShot: boolean
  /** The engine starts it again when it ends, and its lists show it as ended until then: Podman does so. */
  readonly restarts: boolean
  /** When it was first seen to have ended, ms; undefined: it was not. */
  readonly endedAt?: number | undefined
  /** How often the declared check is to run, ms; undefined: none is declared. */
  readonly checkEvery: number | undefined
}

/** One container in a list, with what its own record says it should do. */
export type SeenContainer = ListedHealth & {
  readonly ref: Ref
  readonly id: string
  readonly name: string
  /** What `look` needs to know of it. */
  readonly subject: Json
}

export type Listing = {
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
      /** Of one container: what may change its health. */
      readonly container?: ContainerNews | undefined
    }

export type ContainerNews = {
  readonly id: string
  readonly happened: 'started' | 'ended' | 'out of memory' | 'health checked'
  /** Of one that ended. */
  readonly exitCode?: number | undefined
}
