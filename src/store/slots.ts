/** How many runs a replica may have under way, of those that all replicas together may have. Pure. */
import type { ReplicaRow } from '#model/replicas.ts'

type SlotDemand = {
  readonly id: string
  readonly replicas: readonly Pick<ReplicaRow, 'id' | 'slots' | 'wants'>[]
  /** Runs of the replica have ended since it was last given slots. */
  readonly hasEnded: boolean
  readonly running: number
  readonly wants: number
  readonly concurrency: number
}

/**
 * What is under way keeps its slot. While others wait too, a replica has no more than its share beyond that; and where there are fewer
 * slots than replicas that wait, one whose runs have ended lets those go first that have none.
 */
export function slotsFor(demand: SlotDemand): number {
  const { id, replicas, hasEnded, running, wants, concurrency } = demand
  const others = replicas.filter((one) => one.id !== id)
  const taken = others.reduce((sum, { slots }) => sum + slots, 0)
  const free = Math.max(0, concurrency - taken)
  const waiting = others.filter((one) => one.wants > 0)
  if (waiting.length === 0) return Math.max(running, Math.min(running + wants, free))
  const empty = waiting.filter(({ slots }) => slots === 0).length
  if (hasEnded && running === 0 && empty > 0 && free <= empty) return 0
  const busy = others.filter(({ slots, wants: more }) => slots + more > 0).length + 1
  const even = Math.floor(concurrency / busy)
  // what does not divide evenly goes to whoever asks first, while everybody has an even share
  const share = waiting.some(({ slots }) => slots < even) ? even : Math.ceil(concurrency / busy)
  return Math.max(running, Math.min(running + wants, free, share))
}
