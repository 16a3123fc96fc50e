/** A connection to the place where applications of one kind run. What a kind can't do there is absent. */
import type { Identity, Recalled } from './application.ts'
import type { Health } from './assessment.ts'
import type { ContainerCount } from './container-count.ts'
import type { Declared } from './declaration.ts'
import type { Kind, Rendered, Target } from './domain.ts'
import type { EngineAddress } from './engine-address.ts'
import type { Json } from './json.ts'
import type { Event, Outcome } from './event.ts'
import type { Ref } from './ref.ts'
import type { Rows } from './rows.ts'
import type { ContainerStatus } from './service.ts'
import type { Leases } from './store.ts'

/** How a container is restarted, and for whom. */
export type RestartRequest = {
  readonly owner: string
  /** The declaration of the application; undefined where it is not declared any more. */
  readonly declared: Declared | undefined
  readonly signal: AbortSignal
  warn(text: string): void
}

/** One client for all applications of a kind that run at one place. */
export type Connection = {
  readonly place: EngineAddress
  /** `docker`, `podman`, `kubernetes`: what one speaks with there. */
  readonly engine?: string
  /** What plans and applies for this owner: with its rights, its confinement, and what it may prune. */
  ports(owner: string, declared?: Declared): Ports
  /** Everything that carries an owner of this instance, in one round of lists. */
  list(signal: AbortSignal): Promise<Listing>
  /** The events of that place, until the connection is lost. The first one is `listening`; a place that reports none has not even that. */
  watch(signal: AbortSignal): AsyncIterable<News>
  ping(signal: AbortSignal): Promise<void>
  /** Which engine answers there, and how large its machine is; absent where the engine can't tell. */
  about?(signal: AbortSignal): Promise<EngineAbout>
  /** How long comparing one application with what runs may take, ms; absent: as long as is usual. */
  readonly compareTime?: number
  /** The applications that run there, read from labels. That is all that is known when the history is lost. */
  recall?(signal: AbortSignal): Promise<readonly Recalled[]>
  /** Writes a marker on the place that says how an application's last run ended. `undefined` removes the marker. */
  mark?(owner: string, marker: Marked | undefined, signal: AbortSignal): Promise<void>
  /**
   * Takes over what another program started, without changing it. Without a time in `wish` nothing is written; the ports of the
   * answer then plan as if it had been written.
   */
  adopt?(
    rendered: Rendered,
    identity: Identity,
    wish: AdoptionWish,
    signal: AbortSignal,
  ): Promise<Adoption & { readonly ports: Ports }>
  /** Whether the engine finds a folder of this machine under the same path. */
  sees?(folder: string): boolean
  /** The folders that containers bind there, whoever's containers they are and whether they run or not. */
  bound?(signal: AbortSignal): Promise<readonly string[]>
  /** Removes images, by id, that no container uses and nothing else names. Gives how many were removed. */
  removeImages?(ids: readonly string[], signal: AbortSignal): Promise<number>
  /** Stops a container of an application as it was declared to be stopped, and starts it again, if it may bind what it binds. */
  restart?(container: Pick<SeenContainer, 'id' | 'name'>, request: RestartRequest): Promise<void>
  containers?(owner: string, signal: AbortSignal): Promise<readonly ContainerStatus[]>
  /** What a container wrote, as it comes; `container` is its name there. */
  logs?(container: string, wanted: LogsAsked, signal: AbortSignal): AsyncIterable<string>
  /** The same as `logs`, with the time and the stream of each line. `since` is in ms. */
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
  /** The owner of the container. On a cluster its logs are read with the rights of that owner's application. */
  readonly owner?: string
  readonly tail: number | undefined
  readonly follows: boolean
}

export type EngineAbout = {
  /** `docker`, `podman` or `kubernetes`, as the engine itself says: Podman also answers on Docker's API. */
  readonly engine: string
  readonly version: string
  readonly processors?: number
  /** bytes */
  readonly memory?: number
  /** How many nodes a cluster has. */
  readonly nodes?: number
}

export type Ports = {
  readonly kind: Kind
  readonly target: Target
  /**
   * Leases that others use too, who do not share this store: a fleet's table has such a lease. Absent where the leases of the
   * store are enough.
   */
  readonly leases?: Leases
  /** Renders what is declared at this moment; a run asks under its lease. Absent: what is wanted is rendered from a snapshot of its source. */
  render?(): Promise<Rendered>
  /** Is given each event of a run, and awaited before the next event goes to anybody. */
  hear?(event: Event): Promise<void>
}
export type TimedLine = {
  /** ms */
  readonly at: number
  /** The time as the engine wrote it. It is finer than ms, and the same each time the log is read. */
  readonly time: string
  readonly stream: 'stdout' | 'stderr'
  readonly text: string
}

/** The marker that a place keeps of an application as a whole, beside the labels of its resources. */
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
  /** `matching`: only what can stay as it is. `all`: also what differs, which the next run then makes anew. */
  readonly which: 'matching' | 'all'
  readonly declared?: Declared | undefined
}

export type Adoption = {
  /** The resources that are taken over as they are. */
  readonly matching: readonly Ref[]
  /** They differ from the declaration, with the reason. With `all` they are taken over and made anew by the next run, else left alone. */
  readonly differing: readonly { readonly ref: Ref; readonly why: string }[]
}

/** What one round of lists shows of an application. */
export type Seen = {
  readonly since: number | undefined
  /** What was last applied; undefined where no marker says it. An empty hash: it was adopted and not synced since. */
  readonly mark:
    | { readonly revision: string; readonly hash: string; readonly at: number }
    | undefined
  /** The discovery that it comes from, where the marker names one. */
  readonly foundBy?: string
  readonly containers: ContainerCount
  /** Each container that is declared and exists. Undefined: this kind of application has no containers. */
  readonly listed?: readonly SeenContainer[] | undefined
  /** The records on all its containers. */
  readonly records?: readonly SeenRecord[]
  /** The health of the application, where the lists show it. Absent: it is worked out from its containers or from its runs. */
  readonly health?: Health
  /** It changes whenever something changed that may be drift. */
  readonly fingerprint: string
}

/** What a list shows of a container's health, and what was declared of it. */
export type ListedHealth = {
  /** created, running, paused, restarting, exited, dead, and Podman's words. */
  readonly state: string
  readonly exitCode: number | undefined
  /** Undefined: it has no health check, or the lists of this engine do not show it. */
  readonly health: 'healthy' | 'unhealthy' | 'starting' | undefined
  /** It is meant to end: one that ended with exit code 0 is healthy. */
  readonly isOneShot: boolean
  /** The engine starts it again when it ends, and its lists show it as ended until then: Podman does so. */
  readonly restarts: boolean
  /** When it was first seen to have ended, ms; undefined: it was not. */
  readonly endedAt?: number | undefined
  /** When it was first seen to be made and not started, ms; undefined: it was not. */
  readonly unstartedAt?: number | undefined
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

/** Of a container, whatever it is called at this moment: one that is being replaced has another name. */
export type SeenRecord = { readonly ref: Ref; readonly hash: string }

export type Listing = {
  /** What is seen of each application, by its owner. */
  readonly apps: ReadonlyMap<string, Seen>
  /** What another program started and what may be taken over, by name. */
  readonly orphans: ReadonlyMap<string, Orphan>
}

/** The labels that the other program put there, by service. */
export type Orphan = Readonly<Record<string, Readonly<Record<string, string>>>>

export type News =
  | { readonly kind: 'listening' }
  | {
      readonly kind: 'changed'
      /** Undefined: it is no application of ours, or the event does not say whose it is. */
      readonly owner: string | undefined
      /** The event says for certain whose it is. */
      readonly isSure: boolean
      /** An image came or went; a part of an application was made or removed. */
      readonly what?: 'image' | 'part' | undefined
      /** What happened to one container, where that may change its health. */
      readonly container?: ContainerNews | undefined
    }

export type ContainerNews = {
  readonly id: string
  readonly happened: 'started' | 'ended' | 'out of memory' | 'health checked'
  /** The exit code of a container that ended. */
  readonly exitCode?: number | undefined
}
