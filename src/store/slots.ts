/** How many runs a replica may have under way, of those that all replicas together may have. Pure. */
import type { ReplicaRow } from '#model/replicas.ts'

type SlotDemand = {
  readonly id: string
  readonly replicas: readonly Pick<ReplicaRow, 'id' | 'slots' | 'wants'>[]
  readonly running: number
  readonly wants: number
  readonly concurrency: number
}

/** What is under way keeps its slot; beyond its share a replica has one only while nobody else waits. */
export function slotsFor({ id, replicas, running, wants, concurrency }: SlotDemand): number {
  const others = replicas.filter((one) => one.id !== id)
  const taken = others.reduce((sum, { slots }) => sum + slots, 0)
  const waiting = others.filter((one) => one.wants > 0)
  const busy = others.filter(({ slots, wants: more }) => slots + more > 0).length + 1
  const share = busy > concurrency ? 0 : Math.floor(concurrency / busy)
  const most = waiting.length > 0 ? Math.max(share, running) : Infinity
  const free = Math.max(0, concurrency - taken)
  // without anybody who has one, the first who asks gets it
  const least = taken === 0 && wants > 0 ? 1 : 0
  return Math.max(running, Math.min(running + wants, free, Math.max(most, least)))
}
