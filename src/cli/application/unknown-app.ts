/** Applications that run and are not in the history: it was lost, or another home applied them. Their labels tell of them. */
import { ownerOf, type Application } from '#model/application.ts'
import type { Target } from '#model/domain.ts'
import { kindOf } from '#model/ref.ts'
import type { Observation, Present, Resource } from '#model/resource.ts'
import type { ApplicationRecord, Store } from '#model/store.ts'
import type { Flags } from '../arguments/invocation.ts'
import type { CommandContext } from '../session.ts'
import { installedAs, notInstalled, type ApplicationQuery } from './installed.ts'

/** For verbs that only read: the record of the history, or one that is made from what runs. */
export async function findRunning(
  sought: ApplicationQuery,
  flags: Flags,
  context: CommandContext,
  store: Store | undefined,
): Promise<ApplicationRecord> {
  const known = await installedAs(sought, store)
  if (known !== undefined) return known
  for (const kind of sought.kinds) {
    const found = await recalledAs(kind, sought, flags, context)
    if (found !== undefined) return found
  }
  throw await notInstalled(sought, store)
}

async function recalledAs(
  kind: Application['kind'],
  { name, namespace }: ApplicationQuery,
  flags: Flags,
  { session, signal }: CommandContext,
): Promise<ApplicationRecord | undefined> {
  try {
    const reached = await session.reach(flags, kind)
    const found = (await reached.recall?.(signal))?.find(
      ({ application }) => application.name === name && application.namespace === namespace,
    )
    if (found === undefined) return undefined
    const { application, since } = found
    const unknown = { source: null, lastRun: undefined, isUninstalled: false }
    return { application, since, ...unknown, recalled: found }
  } catch {
    // an engine that can't be asked remembers nothing of it
    signal.throwIfAborted()
    return undefined
  }
}

export async function worldOf(
  application: Application,
  target: Target,
  { session, signal }: CommandContext,
): Promise<Observation> {
  const owner = ownerOf(session.instance, application)
  return target.observe({ owner, wanted: [], refresh: false, signal, report: () => undefined })
}

/** The resources of the application, as they are recorded on the containers and volumes themselves. */
export function resourcesIn(
  world: Observation,
): readonly { readonly resource: Resource; readonly seen: Present }[] {
  return [...world].flatMap(([ref, seen]) => {
    if (seen.kind !== 'present' || seen.recorded === undefined) return []
    const { spec, needs } = seen.recorded
    const origin = { file: '', line: 0, column: 0 }
    return [{ resource: { ref, spec, needs, origin, problems: [] }, seen }]
  })
}

/** The names that the containers of an application have in the engine. */
export function containersIn(
  world: Observation,
): readonly { readonly ref: string; readonly object: string }[] {
  return resourcesIn(world).flatMap(({ resource: { ref }, seen }) => {
    const { object } = seen.outputs
    return kindOf(ref) === 'container' && typeof object === 'string' ? [{ ref, object }] : []
  })
}
