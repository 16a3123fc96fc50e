/** Carries one operation out on a cluster, a registration or a row. Each may be done again after a run that was cut short. */
import { Problem, problemOf } from '#model/problem.ts'
import type { Context, Outputs } from '#model/domain.ts'
import { isRecord, type Json } from '#model/json.ts'
import type { Operation } from '#model/plan.ts'
import { kindOf, nameOf, type Ref } from '#model/ref.ts'
import { settled, type Value } from '#model/value.ts'
import type { ClusterRow, Made, Provider } from '#model/clusters.ts'
import type { ClusterProvider } from '#clients/providers/provider.ts'
import { backUpRows } from './backup-rows.ts'
import { identify, strangerWords } from '../observe/cluster-identity.ts'
import { isProvider } from '../render/row-rules.ts'
import { clusterShapeOf, outputsOf, providerIn } from '../cluster-spec.ts'
import type { FleetContext } from '../fleet-context.ts'

export async function operate(
  fleet: FleetContext,
  operation: Operation,
  context: Context,
): Promise<Outputs> {
  const { ref, spec } = payloadOf(operation.payload)
  const name = nameOf(ref)
  // a process that slept may have been given up: what it would do now is another run's
  await fleet.clusters.held()
  switch (operation.verb) {
    case 'create':
      return create(fleet, name, spec, context)
    case 'take away':
      await remove(fleet, name, spec, context.signal)
      return {}
    case 'delete':
      await refuseTakenBack(fleet, name)
      await beginDeleting(fleet, name, spec)
      await remove(fleet, name, spec, context.signal)
      return rowOf(fleet, name).desired === 'absent' ? letGo(fleet, name) : markGone(fleet, name)
    case 'mark gone':
      return markGone(fleet, name)
    case 'start':
      await start(fleet, name, spec, context.signal)
      return {}
    case 'stand':
      return stand(fleet, name, spec, 'made', context)
    case 'note':
      return stand(fleet, name, spec, phaseOf(fleet, name), context)
    case 'forget':
      if (fleet.options.mode === 'prune') backUpRows(fleet, (text) => context.warn(text))
      await fleet.clusters.remove(name, rowOf(fleet, name).desired)
      fleet.kubeconfigs.drop(name)
      return {}
    case 'put':
    case 'remove': {
      const registration = fleet.registrations.find((one) => one.kind === kindOf(ref))
      if (registration === undefined) throw new TypeError(`nobody keeps ${ref}`)
      const { signal } = context
      const outer = { signal, warn: (text: string) => context.warn(text) }
      if (operation.verb === 'put') await registration.put(name, spec, outer)
      else await registration.remove(name, outer)
      return {}
    }
    default:
      throw new TypeError(`no such operation: ${operation.verb}`)
  }
}

function payloadOf(payload: Value): { readonly ref: Ref; readonly spec: Json } {
  const plain = settled(payload)
  const ref = isRecord<Json>(plain) ? plain['ref'] : undefined
  if (!isRecord<Json>(plain) || typeof ref !== 'string') throw new TypeError('no payload')
  return { ref, spec: plain['spec'] ?? null }
}

function rowOf({ declared }: FleetContext, name: string): ClusterRow {
  const row = declared.rows.find((one) => one.name === name)
  if (row === undefined) throw new TypeError(`no row: ${name}`)
  return row
}

function providerOf(context: FleetContext, name: string, spec: Json): ClusterProvider {
  const { provider } = rowOf(context, name)
  const otherwise: Provider = isProvider(provider) ? provider : 'existing'
  return context.providers[providerIn(spec, otherwise)]
}

/** That it is being made is noted first: what a killed run leaves half made is known as such. */
async function create(
  fleet: FleetContext,
  name: string,
  spec: Json,
  context: Context,
): Promise<Outputs> {
  const { signal, attempt } = context
  const provider = providerOf(fleet, name, spec)
  const made: Made = { phase: 'making', provider: rowOf(fleet, name).provider, spec: shapeIn(spec) }
  await fleet.clusters.noteMade(name, made)
  fleet.memory.making = new Map(fleet.memory.making).set(name, made)
  await fleet.clusters.mark(name, { actual: 'creating', status: 'Creating', error: null })
  if (attempt > 1 && (await provider.list(signal)).has(name)) {
    context.report('taking away what the last attempt left')
    await provider.remove(name, signal)
  }
  const note = fleet.declared.notes.get(name)
  const shape = clusterShapeOf(rowOf(fleet, name), spec, fleet.settings, note)
  await provider.create(shape, signal).catch(async (thrown: unknown) => {
    if (attempt === 1 && isTaken(thrown)) throw await notOurs(fleet, name, thrown)
    throw thrown
  })
  const [all, kubeconfig, serverIp = null] = await Promise.all([
    provider.list(signal),
    provider.kubeconfig(name, signal).catch((thrown: unknown) => problemOf(thrown)),
    serverIpOf(provider, name, signal),
  ])
  if (!all.has(name)) throw notThere(name, 'was made and is not listed')
  if (kubeconfig instanceof Problem) throw kubeconfig
  fleet.kubeconfigs.write(name, kubeconfig)
  const { identity } = all.get(name) ?? {}
  if (identity !== undefined) {
    fleet.memory.identities = new Map(fleet.memory.identities).set(name, identity)
  }
  const known = fleet.memory.making?.get(name)
  if (known !== undefined) fleet.memory.making?.set(name, { ...known, identity })
  fleet.memory.serverIps = new Map(fleet.memory.serverIps).set(name, serverIp)
  const { facts } = all.get(name) ?? {}
  return outputsOf(rowOf(fleet, name), fleet.settings, serverIp, kubeconfig, facts)
}

/** What is kept of a way in may be harmed or of one that was here before. */
async function start(
  context: FleetContext,
  name: string,
  spec: Json,
  signal: AbortSignal,
): Promise<void> {
  const provider = providerOf(context, name, spec)
  await provider.start(name, signal)
  context.kubeconfigs.write(name, await provider.kubeconfig(name, signal))
}

function isTaken(thrown: unknown): boolean {
  const { message, details } = problemOf(thrown)
  return [message, ...details].some((line) => /already exist/i.test(line))
}

/** Somebody else made one of this name since it was looked for: it is not ours to be taken away. */
async function notOurs(context: FleetContext, name: string, cause: unknown): Promise<Problem> {
  await context.clusters.noteMade(name, undefined)
  return new Problem({
    type: 'runtime',
    code: 'name_taken',
    message: `somebody else made a cluster ${name} meanwhile`,
    suggestion: 'run it again to keep it as it is, or delete it first',
    details: problemOf(cause).details,
    cause,
  })
}

/** Rows were read when the run began: who says something else of theirs by now keeps the cluster. */
async function refuseTakenBack(context: FleetContext, name: string): Promise<void> {
  if (rowOf(context, name).desired !== 'absent') return
  const now = (await context.clusters.rows()).find((row) => row.name === name)
  if (now === undefined || now.desired === 'absent') return
  throw new Problem({
    type: 'runtime',
    code: 'held',
    message: `the row of ${name} says ${now.desired} by now: nothing of it was deleted`,
    suggestion: 'run it again',
  })
}

/** Half of a cluster is none: should this be cut short and the cluster be wanted again, it is made anew. */
async function beginDeleting(
  { clusters, declared }: FleetContext,
  name: string,
  spec: Json,
): Promise<void> {
  const provider = providerIn(spec, 'existing')
  const identity = declared.notes.get(name)?.made?.identity
  await clusters.noteMade(name, { phase: 'making', provider, spec: shapeIn(spec), identity })
  await clusters.mark(name, { actual: 'deleting', status: 'Removing', error: null })
}

/** What the program says of its success is not enough: it must no longer be listed. */
async function remove(
  context: FleetContext,
  name: string,
  spec: Json,
  signal: AbortSignal,
): Promise<void> {
  const provider = providerOf(context, name, spec)
  await refuseStranger(context, name, provider, signal)
  await provider.remove(name, signal)
  const isOurs = providerIn(spec, 'kind') !== 'existing'
  // one of others is still there: what we put into it has yet to be taken out
  if (!isOurs) return
  if ((await provider.list(signal)).has(name)) {
    throw notThere(name, 'was deleted and is still listed')
  }
  context.kubeconfigs.drop(name)
}

/** The cluster was observed a while ago: somebody may have made another one under its name since. */
async function refuseStranger(
  { declared, options }: FleetContext,
  name: string,
  provider: ClusterProvider,
  signal: AbortSignal,
): Promise<void> {
  const made = declared.notes.get(name)?.made
  if (made?.identity === undefined || (options.isAll && made.phase === 'found')) return
  const listed = (await provider.list(signal)).get(name)
  if (listed === undefined || identify(made, listed) === 'same') return
  throw new Problem({
    type: 'runtime',
    code: 'name_taken',
    message: `${strangerWords(name, made.provider)}: it is not deleted`,
  })
}

function notThere(name: string, what: string): Problem {
  return new Problem({
    type: 'runtime',
    code: 'api_error',
    message: `${name} ${what}`,
    recoverable: true,
  })
}

/** Until the row goes too it says that it is being deleted: a run that is cut short before that is finished by the next one. */
async function letGo({ clusters }: FleetContext, name: string): Promise<Outputs> {
  const state = { actual: 'deleting', status: 'Removed', error: null, serverIp: null } as const
  await clusters.mark(name, state)
  await clusters.noteMade(name, undefined)
  return {}
}

async function markGone({ clusters }: FleetContext, name: string): Promise<Outputs> {
  await clusters.mark(name, { actual: 'absent', status: 'Removed', error: null, serverIp: null })
  await clusters.noteMade(name, undefined)
  return {}
}

/** One that was there before anybody noted anything stays as it was found: it is not ours. */
function phaseOf(context: FleetContext, name: string): Made['phase'] {
  const phase = context.declared.notes.get(name)?.made?.phase ?? 'found'
  return phase === 'making' ? 'made' : phase
}

async function stand(
  context: FleetContext,
  name: string,
  spec: Json,
  phase: Made['phase'],
  { signal }: Context,
): Promise<Outputs> {
  const provider = providerOf(context, name, spec)
  const known = context.memory.serverIps?.get(name)
  const serverIp = known ?? (await serverIpOf(provider, name, signal))
  const recorded = providerIn(spec, 'existing')
  const made = {
    phase,
    provider: recorded,
    spec: shapeIn(spec),
    identity: identityOf(context, name),
  }
  await context.clusters.noteMade(name, made)
  await context.clusters.mark(name, {
    actual: 'running',
    status: 'Ready',
    error: null,
    ...(serverIp === undefined ? {} : { serverIp }),
  })
  return {}
}

/** The identity of a cluster that this run made; for others, as it was seen when the run began. */
function identityOf({ memory }: FleetContext, name: string): string | undefined {
  const seen = memory.observations?.get(name)
  return memory.identities?.get(name) ?? (seen?.kind === 'there' ? seen.identity : undefined)
}

/** The address of a cluster's server is only shown to people: that it can't be had is no failure. */
async function serverIpOf(
  provider: ClusterProvider,
  name: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    return await provider.serverIp(name, signal)
  } catch {
    // the address is asked for again at the next look
    signal.throwIfAborted()
    return undefined
  }
}

/** Without the state, which is no part of what a cluster is made from. */
function shapeIn(spec: Json): Json {
  if (!isRecord<Json>(spec)) return spec
  const { state: _, ...shape } = spec
  return shape
}
