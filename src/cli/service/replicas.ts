/** Several services on one database: one leads, the others stand by and pass requests on to it. */
import { hostname } from 'node:os'
import { isRecord, type Json } from '#model/json.ts'
import type { Log } from '#model/log.ts'
import { problemOf } from '#model/problem.ts'
import type { Lease, Notes } from '#model/store.ts'
import { sleepOrStop } from '#engine/sleep-or-stop.ts'
import { passOn } from '#server/pass-on.ts'
import type { Served } from '#server/serve.ts'
import type { Memory, Session } from '../session.ts'
import { serverLog } from './log.ts'

export type Replica = {
  readonly memory: Memory
  readonly session: Pick<Session, 'clock' | 'holder' | 'environment'>
  readonly listen: { readonly host: string; readonly port: number }
  readonly log: Log
  readonly signal: AbortSignal
}

const topic = 'replicas'
/** How often one that stands by looks whether it is its turn, ms. */
const pause = 1_000

/** Leads whenever it can, until it is told to end; `lead` returns when the right to it is lost. */
export async function takeTurns(
  replica: Replica,
  lead: (isOver: AbortSignal) => Promise<void>,
): Promise<void> {
  const { signal, log, memory } = replica
  while (!signal.aborted) {
    const lease = await untilLeading(replica)
    if (lease === undefined) return
    log('info', 'this replica leads', { replica: replica.session.holder })
    try {
      await lead(AbortSignal.any([signal, lease.lost]))
    } catch (thrown) {
      // without the database not even a clean end can be written down
      if (!lease.lost.aborted) throw thrown
    } finally {
      if (!lease.lost.aborted) await forgetLeader(memory.notes)
      // a lease that can't be given back ends by time
      await lease.release().catch(() => undefined)
    }
    if (lease.lost.aborted) {
      log('warning', 'this replica leads no more', { reason: problemOf(lease.lost.reason).message })
    }
  }
}

/** Undefined when it is told to end before. Answers while it waits. */
async function untilLeading(replica: Replica): Promise<Lease | undefined> {
  const { memory, session, signal, log, listen } = replica
  let standing: Served | undefined
  let isAway = false
  try {
    while (!signal.aborted) {
      const taken = await memory.leases.take('service', session.holder).catch((thrown: unknown) => {
        if (!isAway) log('warning', problemOf(thrown).message)
        isAway = true
        return undefined
      })
      if (taken !== undefined && 'release' in taken) return taken
      if (taken !== undefined) isAway = false
      standing ??= await passOn({
        listen,
        log: serverLog(log),
        leader: async () => addressIn((await memory.notes.read(topic)).get('leader')),
      })
      await sleepOrStop(session.clock, pause, signal)
    }
    return undefined
  } finally {
    await standing?.close()
  }
}

/** Where the others reach this one: what it is told (TEND_ADVERTISE), else its name and port. */
export async function announce(replica: Replica, served: Served['address']): Promise<void> {
  const { memory, session } = replica
  const url = session.environment['TEND_ADVERTISE'] ?? reachable(served)
  await memory.notes.write(topic, 'leader', { url, name: session.holder })
}

function reachable({ host, port, url }: Served['address']): string {
  const isEverywhere = host === '' || host === '0.0.0.0' || host === '::'
  return isEverywhere ? `http://${hostname()}:${port}` : url
}

async function forgetLeader(notes: Notes): Promise<void> {
  // whoever leads next writes over it
  await notes.write(topic, 'leader', undefined).catch(() => undefined)
}

function addressIn(note: Json | undefined): string | undefined {
  const url = isRecord<Json>(note) ? note['url'] : undefined
  return typeof url === 'string' ? url : undefined
}
