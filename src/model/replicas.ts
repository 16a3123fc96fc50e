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
  /** In whose name it makes things: the same for all. Earlier versions do not say it. */
  readonly instance?: string
  /** The address at which other replicas reach this one; empty: it has none yet. */
  readonly url: string
  readonly host: string
  readonly offers: readonly Offer[]
  /** So many more runs could begin now. */
  readonly wants: number
}

/** A replica that is alive. */
export type ReplicaRow = ReplicaFacts & {
  readonly id: string
  /** How many runs it may have under way at once. All replicas together never have more than allowed. */
  readonly slots: number
  /** How long it counts as alive without a further word, ms. */
  readonly expiresIn: number
}

/** An application or a repository that one replica at a time looks after. */
export type Duty = {
  readonly key: string
  readonly target: string
  /** The engine of the replica that looked after it last; empty: none did yet. */
  readonly engine: string
  readonly host: string
  /** The id of the replica that looks after it, which may be gone; empty: none does. */
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
  /** The keys of duties that nobody has any more. */
  readonly ended: readonly string[]
  readonly messages: readonly Json[]
  readonly shown: readonly Shown[]
  /** How many runs all replicas together may have under way. */
  readonly concurrency: number
  /** Runs that are under way here: slots beyond them and beyond what is wanted are given back. */
  readonly running: number
  /** Runs have ended here since the last exchange: others who wait may have their turn. */
  readonly hasEnded: boolean
}

export type Exchanged = {
  readonly replicas: readonly ReplicaRow[]
  /** The replica that does what belongs to no other one. */
  readonly leader: string
  /** The name of a service of an earlier version that leads: until it ends this replica does nothing. */
  readonly alone: string | undefined
  /** Those that changed since the last exchange. */
  readonly duties: readonly Duty[]
  readonly endedDuties: readonly string[]
  readonly messages: readonly Message[]
  readonly slots: number
}

/** The membership of a replica that counts as alive. */
export type Membership = {
  readonly id: string
  /** Is aborted when the replica could not report for too long that it is alive. */
  readonly lost: AbortSignal
  /** Whether the membership still counts, by a clock that nobody can set. */
  isHeld(): boolean
  /** One transaction: says that it lives, what it wants and what it tells, and hears what the others do. */
  exchange(exchange: Exchange): Promise<Exchanged>
  /** Everything that any replica shows. */
  shown(): Promise<ReadonlyMap<string, Json>>
  /** Writes a note of a duty, under its key; undefined forgets it. Refused when another replica has the duty by now. */
  keep(duty: string, topic: string, note: Json | undefined): Promise<void>
  /** Ends the membership, so that others may take over at once. */
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
  /** The address of the replica that does; undefined: none does at this moment. */
  readonly url: string | undefined
  constructor(key: string, url: string | undefined) {
    super(`another replica looks after ${key}`)
    this.key = key
    this.url = url
  }
}
