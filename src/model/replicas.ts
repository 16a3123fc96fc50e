/** Several services on one database: who is alive, who offers which target, who looks after what, and what each tells the others. */
import type { Json } from './json.ts'

/** A place where a replica can run applications, as a duty names it: `stack unix:///run/docker.sock`. */
export type Offer = {
  readonly target: string
  /** Tells two engines apart that have the same address on two machines. */
  readonly engine: string
  /** It can be reached at this moment. */
  readonly isSeen: boolean
}

/** What a replica says of itself. */
export type ReplicaFacts = {
  readonly name: string
  /** Where the others reach it; empty: not yet. */
  readonly url: string
  readonly host: string
  readonly offers: readonly Offer[]
  /** So many more runs could begin now. */
  readonly wants: number
}

/** One that is alive. */
export type ReplicaRow = ReplicaFacts & {
  readonly id: string
  /** So many runs it may have under way at once; of all replicas together never more than allowed. */
  readonly slots: number
  /** How long it counts as alive without a further word, ms. */
  readonly expiresIn: number
}

/** An application or a repository that one replica at a time looks after. */
export type Duty = {
  readonly key: string
  readonly target: string
  /** Of the last one who looked after it there; empty: nobody did yet. */
  readonly engine: string
  readonly host: string
  /** The id of a replica, which may be gone; empty: nobody. */
  readonly holder: string
}

/** A change of a duty. Each is made only if the duty is still held as `holder` says. */
export type DutyChange = Pick<Duty, 'key' | 'target' | 'engine' | 'host'> & {
  /** The holder before; undefined: there is no such duty yet. */
  readonly from: string | undefined
  readonly holder: string
}

/** What one replica tells all others. */
export type Message = { readonly from: string; readonly body: Json }

/** What stays to be read by those who come later; an undefined body takes it away. */
export type Shown = { readonly key: string; readonly body: Json | undefined }

export type Exchange = {
  readonly self: ReplicaFacts
  readonly changes: readonly DutyChange[]
  /** Duties that are nobody's any more. */
  readonly ended: readonly string[]
  readonly messages: readonly Json[]
  readonly shown: readonly Shown[]
  /** Of all replicas together. */
  readonly concurrency: number
  /** Runs that are under way here: slots beyond them and beyond what is wanted are given back. */
  readonly running: number
  /** Runs have ended here since the last exchange: others who wait may have their turn. */
  readonly hasEnded: boolean
}

export type Exchanged = {
  readonly replicas: readonly ReplicaRow[]
  /** Who decides what nobody else does. */
  readonly leader: string
  /** A service of an earlier version leads alone: nothing is done beside it. */
  readonly alone: string | undefined
  /** Those that changed since the last exchange. */
  readonly duties: readonly Duty[]
  readonly endedDuties: readonly string[]
  readonly messages: readonly Message[]
  readonly slots: number
}

/** A replica that counts as alive. */
export type Membership = {
  readonly id: string
  /** Ends when it could not say for too long that it lives. */
  readonly lost: AbortSignal
  /** By a clock that nobody can set. */
  isHeld(): boolean
  /** One transaction: says that it lives, what it wants and what it tells, and hears what the others do. */
  exchange(exchange: Exchange): Promise<Exchanged>
  /** All that is shown by anybody. */
  shown(): Promise<ReadonlyMap<string, Json>>
  /** Others may take over at once. */
  leave(): Promise<void>
}

export type Replicas = {
  join(self: ReplicaFacts): Promise<Membership>
  /** Calls back, now and then more often than needed, when another replica told something. The function ends it. */
  listen(tell: () => void): () => void
}

/** Somebody else looks after this application: what is asked of it is asked there. */
export class HeldElsewhere extends Error {
  readonly key: string
  /** Undefined: nobody does at this moment. */
  readonly url: string | undefined
  constructor(key: string, url: string | undefined) {
    super(`another replica looks after ${key}`)
    this.key = key
    this.url = url
  }
}
