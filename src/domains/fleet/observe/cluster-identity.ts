/** Whether the cluster under a name is the one that Tend made or adopted, or one that somebody else made since. Pure. */
import type { ListedCluster } from '#clients/providers/provider.ts'
import type { Made } from '#model/clusters.ts'
import { isRecord, type Json } from '#model/json.ts'

/** `stranger`: it certainly is another one. `unknown`: nobody can say. */
export type Identified = 'same' | 'stranger' | 'unknown'

export function identify(
  made: Made | undefined,
  listed: Pick<ListedCluster, 'identity' | 'facts' | 'missingPart'>,
): Identified {
  if (made === undefined || made.phase === 'found') return 'same'
  if (made.identity !== undefined) return matchOf(made.identity, listed.identity)
  // what a run that was cut short left half made publishes nothing yet
  if (made.phase === 'making') return 'same'
  return fitsNote(made, listed) ? 'same' : 'stranger'
}

/** An identity has parts, `token:… created:…`. A part that only one of the two has says nothing. */
function matchOf(noted: string, seen: string | undefined): Identified {
  const parts = partsOf(seen ?? '')
  const common = [...partsOf(noted)].filter(([key]) => parts.has(key))
  if (common.length === 0) return 'unknown'
  return common.every(([key, value]) => parts.get(key) === value) ? 'same' : 'stranger'
}

function partsOf(identity: string): ReadonlyMap<string, string> {
  const parts = identity.split(' ').filter((part) => part.includes(':'))
  return new Map(
    parts.map((part) => [part.slice(0, part.indexOf(':')), part.slice(part.indexOf(':') + 1)]),
  )
}

/** A note of a version that kept no identities: the ports that a cluster was made with tell whether it is still that one. */
function fitsNote(
  { spec }: Made,
  { facts, missingPart }: Pick<ListedCluster, 'facts' | 'missingPart'>,
) {
  if (facts === undefined || missingPart !== undefined || !isRecord<Json>(spec)) return true
  return (['httpPort', 'httpsPort'] as const).every((field) => {
    const noted = spec[field]
    return typeof noted !== 'number' || noted === facts[field]
  })
}

export function strangerWords(name: string, provider: string): string {
  return `somebody made ${name} anew: it is not the cluster that Tend made (tend fleet adopt ${name} --provider ${provider} makes it ours; or delete it, and reconcile makes ours again)`
}
