/** `tend kube check`: what is missing in a cluster, and what to do about it. */
import { preconditions } from '#controller/flux/preconditions.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import { withCluster } from '../../kube/line.ts'
import type { CommandContext } from '../../session.ts'

export async function kubeCheck({ flags }: Invocation, context: CommandContext): Promise<number> {
  const { screen, session, signal } = context
  const findings = await withCluster(flags.kube, (clusters) =>
    preconditions(clusters.local(), session.clock, signal),
  )
  const isGood = findings.every((one) => one.isGood)
  if (screen.format === 'table') {
    for (const one of findings) screen.print([`${one.isGood ? '✔' : '✗'} ${one.what}: ${one.says}`])
  } else await screen.document({ findings: findings.map((one) => ({ ...one })) })
  return isGood ? 0 : 1
}
