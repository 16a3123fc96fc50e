/** `tend serve`: keeps what Git repositories declare running, until it is told to end. */
import { setFlagsFromString } from 'node:v8'
import { Problem } from '#model/problem.ts'
import type { Holder } from '#model/store.ts'
import type { Flags, Invocation } from '../arguments/invocation.ts'
import type { ClusterAsked } from '../kube/open-kube.ts'
import { tellProblems } from '../failure.ts'
import { followDeclarations, followNothing, type Followed } from '../service/follow-declarations.ts'
import { readNote } from '../service/note.ts'
import { serviceLog } from '../service/log.ts'
import { onlyOne } from '../service/only-one.ts'
import { offering, offersIn, type OfferAsked } from '../service/offers.ts'
import { addressFor, takePart } from '../service/replicas.ts'
import { withKubeInTurn } from '../service/kube-in-turn.ts'
import { withoutCluster } from '../service/without-cluster.ts'
import { hasKustomizations, runService } from '../service/run-service.ts'
import { takeSupervisor, type Supervisor } from '../service/systemd-notify.ts'
import { whereDeclared } from '../service/where-declared.ts'
import type { CommandContext, Memory } from '../session.ts'

export async function serve({ flags }: Invocation, context: CommandContext): Promise<number> {
  const { session, screen } = context
  const supervisor = takeSupervisor(process.env, process.pid)
  const paths = whereDeclared(flags, session)
  const cluster = flags.kube.isAsked ? flags.kube : undefined
  const isAlone = cluster !== undefined && paths.length === 0
  const followed = isAlone
    ? followNothing(flags.service.listen)
    : await followDeclarations(paths, session.environment, flags.service.listen)
  if (!('now' in followed)) {
    await tellProblems(followed, screen)
    return 2
  }
  // not before: the build keeps the code of a run that ends above, and V8 refuses code that was kept under other flags
  stayNear()
  const memory = await session.memory()
  const kube = cluster ?? meant(followed, flags)
  const offers = offersIn(flags.service.offers)
  if (memory.isShared) {
    await serveTogether(followed, context, memory, supervisor, offered(kube, offers), offers)
    return 0
  }
  if (offers.length > 0) throw withoutOthers()
  const only = await onlyOne({
    leases: memory.leases,
    holder: session.holder,
    clock: session.clock,
    refusal: (by) => taken(by, session.home),
  })
  try {
    const signal = AbortSignal.any([context.signal, only.lost])
    await runService(followed, { ...context, signal }, memory, supervisor, kube)
    if (!context.signal.aborted) only.lost.throwIfAborted()
    return 0
  } finally {
    await only.release()
  }
}

/** Runs beside other services on one database: each looks after what it offers. */
async function serveTogether(
  followed: Followed,
  context: CommandContext,
  memory: Memory,
  supervisor: Supervisor,
  kube: ClusterAsked | undefined,
  offers: readonly OfferAsked[],
): Promise<void> {
  const { session, screen, signal } = context
  const { log: wanted, listen } = followed.now()
  const log = serviceLog((line) => screen.print([line]), wanted, session.clock)
  const concurrency = (): number => followed.now().concurrency
  const replica = { memory, session, listen, log, signal, concurrency }
  // standing by is work too
  supervisor.ready(log)
  const told: Supervisor = { ...supervisor, ready: () => undefined, close: () => undefined }
  await takePart(replica, (peers, isOver) =>
    withKubeInTurn(memory.leases, session, kube, isOver, (isEnded, held) =>
      runService(
        held === undefined ? withoutCluster(followed) : followed,
        { ...context, signal: isEnded },
        memory,
        told,
        held,
        {
          peers,
          offers: offering(offers),
          announce: (address) => peers.announce(addressFor(replica, address)),
        },
      ),
    ),
  )
  supervisor.close()
}

/** The cluster that this replica follows. One that names what it offers follows a cluster only if that is among it. */
function offered(
  kube: ClusterAsked | undefined,
  offers: readonly OfferAsked[],
): ClusterAsked | undefined {
  if (offers.length === 0) return kube
  const one = offers.find(({ engine }) => engine === 'kube')
  return one === undefined ? undefined : { kubeconfig: kube?.kubeconfig, context: one.address }
}

function withoutOthers(): Problem {
  return new Problem({
    type: 'configuration',
    code: 'usage',
    message: '--offer is for replicas, which share a database',
    suggestion: 'add --database postgres://…, or leave it out',
  })
}

/** Whoever declares kustomizations means a cluster. */
function meant({ now }: Followed, { kube }: Flags): ClusterAsked | undefined {
  return hasKustomizations(now()) ? kube : undefined
}

function taken({ name }: Holder, home: string): Problem {
  const url = readNote(home)?.url
  return new Problem({
    type: 'configuration',
    code: 'held',
    message: `a service runs already on ${home}: ${name}${url === undefined ? '' : `, at ${url}`}`,
    suggestion: 'end it first, or give this one another TEND_HOME and TEND_INSTANCE',
  })
}

/**
 * Young objects have two megabytes and no more, and the heap grows by at most 20 % of what lives. A service lives long and
 * its garbage is lists that are parsed and thrown away: room for more of it only makes the process larger.
 */
function stayNear(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=20')
}
