/** Lets one replica at a time follow a cluster, of all that offer it: its objects and their statuses have one writer. */
import { sleepOrStop } from '#engine/sleep-or-stop.ts'
import type { Lease, Leases } from '#model/store.ts'
import type { ClusterAsked } from '../kube/open-kube.ts'
import type { Session } from '../session.ts'

/** How often a replica that waits looks whether the cluster is free, ms. */
const pause = 2_000

/**
 * Runs `work` with the cluster if it is free, else without it until it is. Returns when it is over, or when another round has to
 * begin: the caller joins the others anew for each.
 */
export async function withKubeInTurn(
  leases: Leases,
  { holder, clock }: Pick<Session, 'holder' | 'clock'>,
  kube: ClusterAsked | undefined,
  isOver: AbortSignal,
  work: (isEnded: AbortSignal, held: ClusterAsked | undefined) => Promise<void>,
): Promise<void> {
  if (kube === undefined) return work(isOver, undefined)
  const lease = await taken(leases, holder)
  if (lease !== undefined) {
    try {
      await work(AbortSignal.any([isOver, lease.lost]), kube)
    } finally {
      // a lease that can't be given back ends by time
      await lease.release().catch(() => undefined)
    }
    return
  }
  const turn = new AbortController()
  const ended = AbortSignal.any([isOver, turn.signal])
  const waiting = untilFree(leases, holder, clock, ended).then((isFree) => {
    if (isFree) turn.abort(new Error('the cluster has nobody who follows it'))
  })
  await work(ended, undefined)
  turn.abort()
  await waiting
}

async function taken(leases: Leases, holder: string): Promise<Lease | undefined> {
  const found = await leases.take('cluster', holder)
  return 'release' in found ? found : undefined
}

/** The lease is given back at once: the next round takes it. */
async function untilFree(
  leases: Leases,
  holder: string,
  clock: Session['clock'],
  signal: AbortSignal,
): Promise<boolean> {
  while (!signal.aborted) {
    await sleepOrStop(clock, pause, signal)
    if (signal.aborted) return false
    // without the database the whole replica ends
    const lease = await taken(leases, holder).catch(() => undefined)
    if (lease === undefined) continue
    await lease.release().catch(() => undefined)
    return true
  }
  return false
}
