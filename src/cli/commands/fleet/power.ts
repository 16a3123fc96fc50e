/** `tend fleet start` and `tend fleet stop`: one cluster by hand. The next reconcile starts what is stopped. */
import { identify, strangerWords } from '#domains/fleet/identity.ts'
import { Problem } from '#model/problem.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import { withCluster, type Named } from '../../fleet/named.ts'
import { leaseOf } from '../../fleet/pass.ts'
import type { Desk } from '../../session.ts'
import { refuseReserved } from './add.ts'

export function fleetStart(invocation: Invocation, desk: Desk): Promise<number> {
  return change(invocation, desk, async (named) => {
    const { row, site, provider } = named
    await provider.start(row.name, desk.signal)
    site.kubeconfigs.write(row.name, await provider.kubeconfig(row.name, desk.signal))
    await untilReady(named, invocation.flags.timeout, desk)
    await site.clusters.mark(row.name, { actual: 'running', status: 'Ready', error: null })
    return `${row.name} runs`
  })
}

export function fleetStop(invocation: Invocation, desk: Desk): Promise<number> {
  return change(invocation, desk, async ({ row, site, provider }) => {
    await provider.stop(row.name, desk.signal)
    await site.clusters.mark(row.name, { actual: 'stopped', status: 'stopped', error: null })
    return `${row.name} is stopped; the next reconcile starts it`
  })
}

async function change(
  { words, flags }: Invocation,
  desk: Desk,
  work: (named: Named) => Promise<string>,
): Promise<number> {
  const name = words[0]!
  refuseReserved(name)
  return withCluster(name, flags, desk, 'write', async (named) => {
    const { site, provider, row } = named
    if (row.provider === 'existing') throw notOurs(name)
    const lease = await leaseOf(site, flags, desk)
    try {
      const listed = (await provider.list(desk.signal)).get(name)
      if (listed === undefined) throw missing(name)
      const made = site.declared.notes.get(name)?.made
      if (identify(made, listed) === 'stranger') throw stranger(name, row.provider)
      const said = await work(named)
      if (desk.screen.format === 'table') desk.screen.print([said])
      else await desk.screen.document({ name, message: said })
      return 0
    } finally {
      await lease.release()
    }
  })
}

const pause = 250

async function untilReady({ row, site }: Named, timeout: number, desk: Desk): Promise<void> {
  const { clock } = desk.session
  const deadline = clock.now() + timeout
  for (;;) {
    const kubeconfig = site.kubeconfigs.read(row.name) ?? ''
    const readiness = await site.probe(kubeconfig, row.name, desk.signal)
    if (readiness.kind === 'ready') return
    if (clock.now() >= deadline) {
      const message = `${row.name} is not ready in time: ${readiness.why}`
      throw new Problem({ type: 'runtime', code: 'timed_out', message })
    }
    await clock.sleep(pause, desk.signal)
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
