/** Several services on one database: each looks after what it offers, and steps aside for one of an earlier version. */
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { openPeers, type Peers } from '#controller/replicas/peers.ts'
import { sleepOrStop } from '#engine/sleep-or-stop.ts'
import { defined } from '#model/defined.ts'
import { isRecord, type Json } from '#model/json.ts'
import type { Log } from '#model/log.ts'
import { Problem, problemOf } from '#model/problem.ts'
import { passOn } from '#server/pass-on.ts'
import type { Served } from '#server/serve.ts'
import type { Memory, Session } from '../session.ts'
import { serverLog } from './log.ts'
import { fromHere, removeNote, writeNote } from './note.ts'

export type Replica = {
  readonly memory: Memory
  readonly session: Pick<Session, 'clock' | 'holder' | 'environment' | 'home' | 'instance'>
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
  const { signal, log, session } = replica
  while (!signal.aborted) {
    const joined = await untilJoined(replica)
    if (joined === undefined) return
    const { peers, isOver } = joined
    const other = strangerAmong(peers, session.instance)
    if (other !== undefined) {
      await peers.stop()
      throw other
    }
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
  let isNoted = false
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
      // the verbs of this machine are told so, too: it serves, and has nothing to give
      if (isAway && !isNoted) {
        writeNote(session.home, fromHere(standing.address), session.clock.now(), nobody)
        isNoted = true
      }
      await sleepOrStop(session.clock, pause, signal)
    }
    return undefined
  } finally {
    if (isNoted) removeNote(session.home, nobody)
    await standing?.close()
  }
}

/** In place of a token: whoever stands by knows none. */
const nobody = ''

/** Two services would take each other's containers for those of strangers. */
function strangerAmong(peers: Peers, instance: string): Problem | undefined {
  const other = peers.replicas().find((one) => (one.instance ?? instance) !== instance)
  if (other === undefined) return undefined
  return new Problem({
    type: 'configuration',
    code: 'usage',
    message: `replicas of one database are of one instance: this one is ${JSON.stringify(instance)}, ${other.name} is ${JSON.stringify(other.instance)}`,
    suggestion: 'give all of them the same TEND_INSTANCE, or this one a database of its own',
  })
}

async function join(replica: Replica): Promise<JoinedReplica | undefined> {
  const { session, signal, log } = replica
  const replicas = defined(replica.memory.replicas)
  const aside = new AbortController()
  const { holder: name, instance } = session
  const host = hostOf()
  const membership = await replicas.join({ name, instance, url: '', host, offers: [], wants: 0 })
  const peers = await openPeers({
    membership,
    replicas,
    name,
    instance,
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
