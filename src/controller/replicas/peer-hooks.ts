/** How the service takes part among its replicas: what it says of itself, and what it hears. */
import type { Json } from '#model/json.ts'
import type { Offer } from '#model/replicas.ts'
import type { KnownDuty } from './share-duties.ts'

export type PeerHooks = {
  known(): readonly KnownDuty[]
  offers(): readonly Offer[]
  /** Reads what whoever looked after them before left; they are ours once it resolves. */
  gained(keys: readonly string[]): Promise<void>
  /** They are ours now. */
  taken(keys: readonly string[]): void
  lost(keys: readonly string[]): void
  heard(word: Json): void
  /** What another one shows changed; undefined: it is gone. */
  showed(key: string, body: Json | undefined): void
  /** Something about who does what changed: what is due is looked for. */
  changed(): void
}
