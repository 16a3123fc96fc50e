/** `tend diff kustomization NAME --path FOLDER`. */
import { home } from '#controller/flux/kinds.ts'
import type { Json } from '#model/json.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { tellSteps } from '../commands/diff.ts'
import { tellProblems } from '../failure.ts'
import type { CommandContext } from '../session.ts'
import { diffLocal } from './diff-local.ts'
import { withCluster } from './line.ts'

/** Gives 1 when the server refuses something of it. */
export async function diffKustomization(
  { words, flags }: Invocation,
  path: string,
  { session, screen, signal }: CommandContext,
): Promise<number> {
  const meant = (words[1] ?? words[0] ?? '').replace(/^(kustomization|ks)[/:]/, '')
  const [name = '', space] = meant.split('/').toReversed()
  const asked = { namespace: space ?? flags.namespace ?? home, name, path }
  const { plan, problems } = await withCluster(flags.kube, (clusters) =>
    diffLocal(clusters, asked, session.clock, signal),
  )
  if (problems.length > 0) {
    await tellProblems(problems, screen)
    return 1
  }
  const exit = flags.hasExitCode && plan.groups.length > 0 ? 3 : 0
  if (screen.format !== 'table') {
    const steps = plan.groups.map(({ ref, step, cause, changes }) => ({
      ref,
      step,
      cause,
      changes,
    }))
    const resources: Json = JSON.parse(JSON.stringify(steps))
    await screen.document({ kustomization: `${asked.namespace}/${name}`, resources })
    return exit
  }
  if (plan.groups.length === 0)
    screen.print([`Nothing would change in ${asked.namespace}/${name}.`])
  tellSteps(plan.groups, screen)
  return exit
}
