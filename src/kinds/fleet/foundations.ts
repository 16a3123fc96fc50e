/** What a fleet stands on beside its proxy: networks that are there, and a management cluster that answers. */
import { recordOf, textOf } from '#model/read-json.ts'
import { ensureNetwork } from '#clients/providers/networks.ts'
import type { FleetSettings } from '#domains/fleet/settings.ts'
import { Problem } from '#model/problem.ts'
import type { FleetAround } from './around.ts'
import { managementOf } from './argo.ts'
import { defined } from '#model/defined.ts'

export type Foundation = { readonly name: string; readonly work: () => Promise<string> }

export function networkFoundations(
  { networks = [], providers }: FleetSettings,
  { environment }: Pick<FleetAround, 'environment'>,
  signal: AbortSignal,
): readonly Foundation[] {
  const program = providers?.kind?.engine ?? 'docker'
  const engine = { program, environment, key: 'providers.kind.engine' }
  return networks.map((network) => ({
    name: `network ${network.name}`,
    work: async () => {
      const { name, subnet, gateway } = network
      const needsGateway = providers?.k3d?.network === name
      return ensureNetwork(engine, { name, subnet, gateway, needsGateway }, signal)
    },
  }))
}

/** The management cluster must be ready, with Argo CD's namespace, and with its resource types where they are needed. */
export function managementFoundations(
  { argocd }: FleetSettings,
  signal: AbortSignal,
): readonly Foundation[] {
  if (argocd === undefined) return []
  const { namespace = 'argocd' } = argocd
  async function work(): Promise<string> {
    const api = managementOf(defined(argocd))
    try {
      const doing = `the management cluster ${api.server} does not answer`
      await api.ask('GET', '/readyz', { signal, doing, silence: 5000 })
      const path = `/api/v1/namespaces/${namespace}`
      const said = await api.ask('GET', path, { signal, doing, fine: [404] })
      if (said.status === 404) throw lacks(`the namespace ${namespace}`)
      const phase = textOf(recordOf(recordOf(said.body)['status'])['phase'])
      if (phase === 'Terminating') throw lacks(`the namespace ${namespace}, which is being deleted`)
      if (defined(argocd).applicationSet !== undefined) {
        const sets = `/apis/argoproj.io/v1alpha1/namespaces/${namespace}/applicationsets`
        const kinds = await api.ask('GET', sets, {
          signal,
          doing,
          fine: [404],
          query: { limit: 1 },
        })
        if (kinds.status === 404) throw lacks("Argo CD's kinds (ApplicationSet)")
      }
      return `${api.server} is ready`
    } finally {
      api.close()
    }
  }
  return [{ name: 'management', work }]
}

function lacks(what: string): Problem {
  return new Problem({
    type: 'runtime',
    code: 'not_found',
    message: `the management cluster lacks ${what}`,
    suggestion: 'install Argo CD there, or see what fleet.yaml says under argocd',
  })
}
