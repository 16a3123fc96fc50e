/** Several services on one database: each looks after what it offers, and steps aside for one of an earlier version. */
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { openPeers, type Peers } from '#controller/replicas/peers.ts'
import { sleepOrStop } from '#engine/sleep-or-stop.ts'
import { defined } from '#model/defined.ts'
import { isRecord, type Json } from '#model/json.ts'
import type { Log } from '#model/log.ts'
import { problemOf } from '#model/problem.ts'
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
  /** How many runs all replicas together may have under way. */
  concurrency(): number
}

const topic = 'replicas'
/** How often a replica that stands by looks whether it may take part, ms. */
const pause = 1_000

type JoinedReplica = { readonly peers: Peers; readonly isOver: AbortSignal }

/** Takes part whenever it can, until it is told to end. `work` returns when it may not take part any more. */
export async function takePart(
  replica: Replica,
  work: (peers: Peers, isOver: AbortSignal) => Promise<void>,
): Promise<void> {
  const { signal, log } = replica
  while (!signal.aborted) {
    const joined = await untilJoined(replica)
    if (joined === undefined) return
    const { peers, isOver } = joined
    log('info', 'this replica takes part', { replica: peers.id.slice(0, 8) })
    try {
      await work(peers, isOver)
    } catch (thrown) {
      // without the database not even a clean end can be written down
      if (!isOver.aborted) throw thrown
    } finally {
      await peers.stop()
    }
    if (isOver.aborted && !signal.aborted) {
      log('warning', 'this replica stands by', { reason: problemOf(isOver.reason).message })
    }
  }
}

/** Undefined when it is told to end before. It answers requests while it waits. */
async function untilJoined(replica: Replica): Promise<JoinedReplica | undefined> {
  const { memory, session, signal, log, listen } = replica
  let standing: Served | undefined
  let isAway = false
  try {
    while (!signal.aborted) {
      const joined = await join(replica).catch((thrown: unknown) => {
        if (!isAway) log('warning', problemOf(thrown).message)
        isAway = true
        return undefined
      })
      if (joined !== undefined) return joined
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

async function join(replica: Replica): Promise<JoinedReplica | undefined> {
  const { session, signal, log } = replica
  const replicas = defined(replica.memory.replicas)
  const aside = new AbortController()
  const [name, host] = [session.holder, hostOf()]
  const membership = await replicas.join({ name, url: '', host, offers: [], wants: 0 })
  const peers = await openPeers({
    membership,
    replicas,
    name,
    host,
    log,
    concurrency: () => replica.concurrency(),
    stepAside: (leader) => aside.abort(new Error(`${leader}, of an earlier version, leads`)),
  })
  const isOver = AbortSignal.any([signal, membership.lost, aside.signal])
  if (!aside.signal.aborted) return { peers, isOver }
  await peers.stop()
  return undefined
}

/** The name of the machine. Machines may have the same name: where they have an id too, that tells them apart. */
function hostOf(): string {
  try {
    return `${hostname()} ${readFileSync('/etc/machine-id', 'utf8').trim()}`.trim()
  } catch {
    // a container has none as a rule
    return hostname()
  }
}

/** The address at which other replicas reach this one: TEND_ADVERTISE, else its name and port. */
export function addressFor(replica: Replica, { host, port, url }: Served['address']): string {
  const told = replica.session.environment['TEND_ADVERTISE']
  const isEverywhere = host === '' || host === '0.0.0.0' || host === '::'
  return told ?? (isEverywhere ? `http://${hostname()}:${port}` : url)
}

function addressIn(note: Json | undefined): string | undefined {
  const url = isRecord<Json>(note) ? note['url'] : undefined
  return typeof url === 'string' ? url : undefined
}
