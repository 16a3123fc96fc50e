/** `tend fleet kubeconfig NAME`: the cluster's own kubeconfig, whole, to standard output. */
import type { Invocation } from '../../arguments/invocation.ts'
import { withCluster } from '../../fleet/named.ts'
import type { Desk } from '../../session.ts'

export function fleetKubeconfig({ words, flags }: Invocation, desk: Desk): Promise<number> {
  const name = words[0]!
  return withCluster(name, flags, desk, 'read', async ({ provider, site }) => {
    const text = await provider.kubeconfig(name, desk.signal)
    if (site.kubeconfigs.read(name) !== text) site.kubeconfigs.write(name, text)
    if (desk.screen.format === 'json') {
      const { parse } = await import('yaml')
      desk.screen.print([JSON.stringify(parse(text), null, 2)])
    } else desk.screen.print([text.trimEnd()])
    return 0
  })
}
