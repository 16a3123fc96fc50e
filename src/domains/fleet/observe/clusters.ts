/** What is seen of clusters: one listing for each provider, then each asked itself. Present, absent or unknown. */
import type { ClusterFacts, ListedCluster } from '#clients/providers/provider.ts'
import type { Readiness } from '#clients/providers/probe.ts'
import { reservedCluster, type ClusterRow, type Made, type Provider } from '#model/clusters.ts'
import { problemOf } from '#model/problem.ts'
import { identify, type Identified } from './cluster-identity.ts'
import { isName, isProvider } from '../render/row-rules.ts'
import type { FleetContext } from '../fleet-context.ts'

/** `health` of one that was not asked because its listing says that it is stopped: `stopped`. */
export type ClusterObservation =
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly why: string }
  | {
      readonly kind: 'there'
      readonly provider: Provider
      readonly health: Readiness['kind'] | 'stopped' | 'unasked'
      readonly why: string
      readonly serverIp: string | null
      /** Whether it is the one that Tend made or adopted. */
      readonly identified: Identified
      readonly identity: string | undefined
      readonly facts: ClusterFacts | undefined
      /** A part of it that was removed, in words; empty: none. */
      readonly missingPart: string
    }

export type ClusterObservations = ReadonlyMap<string, ClusterObservation>

type Listing = ReadonlyMap<string, ListedCluster> | { readonly why: string }

const probesAtOnce = 16
const noName = "its name can't be that of a cluster"

/** `asks`: whether a cluster that is there is asked how it is; one that is to go need not answer. */
export async function observeClusters(
  fleet: Pick<FleetContext, 'declared' | 'providers' | 'kubeconfigs' | 'probe'>,
  asks: (row: ClusterRow) => boolean,
  signal: AbortSignal,
): Promise<ClusterObservations> {
  const rows = fleet.declared.rows.filter(({ name }) => name !== reservedCluster)
  const listings = new Map<Provider, Promise<Listing>>()
  function listing(provider: Provider): Promise<Listing> {
    const known = listings.get(provider) ?? listed(fleet, provider, signal)
    listings.set(provider, known)
    return known
  }
  const observations = new Map<string, ClusterObservation>()
  const queue = [...rows]
  async function work(): Promise<void> {
    for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
      const provider = whereIs(row, fleet.declared.notes.get(row.name)?.made)
      if (provider === undefined) {
        observations.set(row.name, {
          kind: 'unknown',
          why: `nobody knows the provider ${row.provider}`,
        })
        continue
      }
      if (!isName(row.name)) {
        const listed = await listing(provider)
        const isGone = !('why' in listed) && !listed.has(row.name)
        observations.set(row.name, isGone ? { kind: 'absent' } : { kind: 'unknown', why: noName })
        continue
      }
      // while the listing is under way the cluster is asked already: what it says counts only if it is listed
      // of a cluster of others its own file counts, which may lead to another one by now
      const isKept = asks(row) && provider !== 'existing'
      const early = isKept ? askedEarly(fleet, row.name, signal) : undefined
      observations.set(row.name, await observationOf(row, provider, await listing(provider), early))
    }
  }
  async function observationOf(
    row: ClusterRow,
    provider: Provider,
    all: Listing,
    early: Promise<Readiness | undefined> | undefined,
  ): Promise<ClusterObservation> {
    if ('why' in all) return { kind: 'unknown', why: all.why }
    const found = all.get(row.name)
    if (found === undefined) {
      return provider === 'existing' ? unplaced(row) : missing(fleet, row, provider, early, signal)
    }
    const serverIp = found.serverIp ?? row.serverIp
    const identified = identify(fleet.declared.notes.get(row.name)?.made, found)
    const { identity, facts, missingPart = '' } = found
    const about = { identified, identity, facts, missingPart }
    const there = { kind: 'there', provider, serverIp, why: '', ...about } as const
    // nothing is asked of the cluster of somebody else, and its kubeconfig is not kept
    if (!asks(row) || identified === 'stranger') return { ...there, health: 'unasked' }
    if (missingPart !== '') {
      return { ...there, health: 'stopped', why: `${missingPart} was removed` }
    }
    if (found.isRunning === false) {
      return { ...there, health: 'stopped', why: `${found.stoppedPart ?? 'it'} is stopped` }
    }
    const known = await early
    if (known?.kind === 'ready') return { ...there, health: 'ready', why: '' }
    return asked(fleet, row.name, there, known, signal)
  }
  await Promise.all(Array.from({ length: probesAtOnce }, work))
  return observations
}

/** One that answers by its own authority is not missing, whatever its program lists: it is asked in the wrong place. */
async function missing(
  fleet: Pick<FleetContext, 'kubeconfigs' | 'probe'>,
  { name }: ClusterRow,
  provider: Provider,
  early: Promise<Readiness | undefined> | undefined,
  signal: AbortSignal,
): Promise<ClusterObservation> {
  const readiness = await (early ?? askedEarly(fleet, name, signal))
  if (readiness?.kind !== 'ready') return { kind: 'absent' }
  const where = 'was it made on another engine or in another folder than fleet.yaml names?'
  return { kind: 'unknown', why: `${provider} does not list ${name}, and yet it answers: ${where}` }
}

/** Nobody was asked about a cluster of others that the settings do not name: that it is missing is not certain. */
function unplaced({ name, desired }: ClusterRow): ClusterObservation {
  if (desired === 'absent') return { kind: 'absent' }
  const key = `clusters.${name}.kubeconfig`
  return { kind: 'unknown', why: `fleet.yaml does not say where ${name} is (name its ${key})` }
}

/** One that was made by another provider than its row names by now is still there. */
function whereIs(row: ClusterRow, made: Made | undefined): Provider | undefined {
  if (made !== undefined && isProvider(made.provider)) return made.provider
  return isProvider(row.provider) ? row.provider : undefined
}

async function listed(
  { providers }: Pick<FleetContext, 'providers'>,
  provider: Provider,
  signal: AbortSignal,
): Promise<Listing> {
  try {
    return await providers[provider].list(signal)
  } catch (thrown) {
    signal.throwIfAborted()
    const { message, suggestion } = problemOf(thrown)
    return { why: `${message}${suggestion === undefined ? '' : ` (${suggestion})`}` }
  }
}

type There = Omit<Extract<ClusterObservation, { readonly kind: 'there' }>, 'health' | 'why'>

/** By the file that is kept, if there is one; undefined: nothing can be said yet. */
async function askedEarly(
  { kubeconfigs, probe }: Pick<FleetContext, 'kubeconfigs' | 'probe'>,
  name: string,
  signal: AbortSignal,
): Promise<Readiness | undefined> {
  const kept = kubeconfigs.read(name)
  // readiness is unknown until it answers
  return kept === undefined ? undefined : probe(kept, name, signal).catch(() => undefined)
}

/** The file that is kept may be of a cluster that was here before: who does not answer to it is asked by a new one, if it is another. */
async function asked(
  fleet: Pick<FleetContext, 'providers' | 'kubeconfigs' | 'probe'>,
  name: string,
  there: There,
  known: Readiness | undefined,
  signal: AbortSignal,
): Promise<ClusterObservation> {
  const { kubeconfigs, probe } = fleet
  try {
    const fresh = await fleet.providers[there.provider].kubeconfig(name, signal)
    const isKept = fresh === kubeconfigs.read(name)
    if (!isKept) kubeconfigs.write(name, fresh)
    const readiness = (isKept ? known : undefined) ?? (await probe(fresh, name, signal))
    if (readiness.kind === 'unknown') return { kind: 'unknown', why: readiness.why }
    const why = readiness.kind === 'ready' ? '' : readiness.why
    return { ...there, health: readiness.kind, why }
  } catch (thrown) {
    signal.throwIfAborted()
    return { kind: 'unknown', why: problemOf(thrown).message }
  }
}
