/** `tend fleet start` and `tend fleet stop`: one cluster by hand. The next reconcile starts what is stopped. */
import { identify, strangerWords } from '#domains/fleet/observe/cluster-identity.ts'
import { Problem } from '#model/problem.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import { withCluster, type Named } from '../../fleet/named.ts'
import { leaseOf } from '../../fleet/pass.ts'
import type { CommandContext } from '../../session.ts'
import { refuseReserved } from '#kinds/fleet/row-problems.ts'
import { defined } from '#model/defined.ts'

export function fleetStart(invocation: Invocation, context: CommandContext): Promise<number> {
  return change(invocation, context, async (named) => {
    const { row, fleet, provider } = named
    await provider.start(row.name, context.signal)
    fleet.kubeconfigs.write(row.name, await provider.kubeconfig(row.name, context.signal))
    await untilReady(named, invocation.flags.timeout, context)
    await fleet.clusters.mark(row.name, { actual: 'running', status: 'Ready', error: null })
    return `${row.name} runs`
  })
}

export function fleetStop(invocation: Invocation, context: CommandContext): Promise<number> {
  return change(invocation, context, async ({ row, fleet, provider }) => {
    await provider.stop(row.name, context.signal)
    await fleet.clusters.mark(row.name, { actual: 'stopped', status: 'stopped', error: null })
    return `${row.name} is stopped; the next reconcile starts it`
  })
}

async function change(
  { words, flags }: Invocation,
  context: CommandContext,
  work: (named: Named) => Promise<string>,
): Promise<number> {
  const name = defined(words[0])
  refuseReserved(name)
  return withCluster(name, flags, context, 'write', async (named) => {
    const { fleet, provider, row } = named
    if (row.provider === 'existing') throw notOurs(name)
    const lease = await leaseOf(fleet, flags, context)
    try {
      const listed = (await provider.list(context.signal)).get(name)
      if (listed === undefined) throw missing(name)
      const made = fleet.declared.notes.get(name)?.made
      if (identify(made, listed) === 'stranger') throw stranger(name, row.provider)
      const said = await work(named)
      if (context.screen.format === 'table') context.screen.print([said])
      else await context.screen.document({ name, message: said })
      return 0
    } finally {
      await lease.release()
    }
  })
}

const pause = 250

async function untilReady(
  { row, fleet }: Named,
  timeout: number,
  context: CommandContext,
): Promise<void> {
  const { clock } = context.session
  const deadline = clock.now() + timeout
  for (;;) {
    const kubeconfig = fleet.kubeconfigs.read(row.name) ?? ''
    const readiness = await fleet.probe(kubeconfig, row.name, context.signal)
    if (readiness.kind === 'ready') return
    if (clock.now() >= deadline) {
      const message = `${row.name} is not ready in time: ${readiness.why}`
      throw new Problem({ type: 'runtime', code: 'timed_out', message })
    }
    await clock.sleep(pause, context.signal)
  }
}

function stranger(name: string, provider: string): Problem {
  const message = strangerWords(name, provider)
  return new Problem({ type: 'runtime', code: 'name_taken', message })
}

function notOurs(name: string): Problem {
  return new Problem({
    type: 'configuration',
    code: 'denied',
    message: `${name} is a cluster that others run: a fleet neither starts nor stops it`,
    suggestion: 'start or stop it where it is run',
  })
}

function missing(name: string): Problem {
  return new Problem({
    type: 'configuration',
    code: 'not_found',
    message: `there is no cluster ${name} to be started or stopped`,
    suggestion: 'tend fleet reconcile --from-db makes it',
  })
}
