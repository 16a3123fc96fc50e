/** Clusters that Tend made and that no row names any more. Nothing is done about them: only their owner knows whether that is meant. */
import type { ListedCluster } from '#clients/providers/provider.ts'
import type { Made, Provider } from '#model/clusters.ts'
import { identify } from './cluster-identity.ts'
import { isProvider } from '../render/row-rules.ts'
import type { FleetContext } from '../fleet-context.ts'

type UndeclaredCluster = { readonly name: string; readonly provider: Provider }

type Left = UndeclaredCluster & { readonly made: Made }

/** Providers are asked only where a note without a row is left; one that can't be asked tells nothing. */
export async function undeclaredClusters(
  { declared, providers }: Pick<FleetContext, 'declared' | 'providers'>,
  signal: AbortSignal,
): Promise<readonly UndeclaredCluster[]> {
  const rows = new Set(declared.rows.map(({ name }) => name))
  const left = [...declared.notes].flatMap(([name, { made }]): readonly Left[] => {
    if (made === undefined || rows.has(name) || made.phase === 'found') return []
    const { provider } = made
    return isProvider(provider) && provider !== 'existing' ? [{ name, provider, made }] : []
  })
  const asked = [...new Set(left.map(({ provider }) => provider))].map(async (provider) => {
    // a provider that can't be asked: nothing of it is called left over
    const names = await providers[provider]
      .list(signal)
      .catch(() => new Map<string, ListedCluster>())
    return [provider, names] as const
  })
  const there = new Map(await Promise.all(asked))
  return left.filter(({ name, provider, made }) => {
    const listed = there.get(provider)?.get(name)
    return listed !== undefined && identify(made, listed) !== 'stranger'
  })
}

/** Empty: there are none. */
export function undeclaredText(undeclared: readonly UndeclaredCluster[]): string {
  if (undeclared.length === 0) return ''
  const all = undeclared.map(({ name, provider }) => `${name} (${provider})`).join(', ')
  const how = 'tend fleet adopt NAME --provider PROVIDER gives one a row, and rm then deletes it'
  return `clusters that Tend made and no row names any more: ${all}; ${how}`
}
