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
import { announce, takeTurns } from '../service/replicas.ts'
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
  if (memory.isShared) {
    await serveTogether(followed, context, memory, supervisor, kube)
    return 0
  }
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

/** With others on one database: whoever leads runs it, the others stand by. */
async function serveTogether(
  followed: Followed,
  context: CommandContext,
  memory: Memory,
  supervisor: Supervisor,
  kube: ClusterAsked | undefined,
): Promise<void> {
  const { session, screen, signal } = context
  const { log: wanted, listen } = followed.now()
  const log = serviceLog((line) => screen.print([line]), wanted, session.clock)
  const replica = { memory, session, listen, log, signal }
  // standing by is work too
  supervisor.ready(log)
  const told: Supervisor = { ...supervisor, ready: () => undefined, close: () => undefined }
  await takeTurns(replica, (isOver) =>
    runService(followed, { ...context, signal: isOver }, memory, told, kube, (address) =>
      announce(replica, address),
    ),
  )
  supervisor.close()
}

/** One who declares kustomizations means a cluster. */
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
 * Young objects have two megabytes and no more, and the heap grows by at most 40 % of what lives. A service lives long and
 * its garbage is lists that are parsed and thrown away: room for more of it only makes the process larger.
 */
function stayNear(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=40')
}
