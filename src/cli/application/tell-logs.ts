/** Prints what containers wrote and, for a failed run, the lines that were kept when its containers failed. */
import { wordsFor } from '#kinds/all.ts'
import { ownerOf, type Application } from '#model/application.ts'
import { isRecord } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import { kindOf, nameOf } from '#model/ref.ts'
import type { Observation } from '#model/resource.ts'
import type { ApplicationRecord, Store } from '#model/store.ts'
import type { Value } from '#model/value.ts'
import { closest } from '../arguments/closest.ts'
import type { Flags } from '../arguments/invocation.ts'
import { lastGood } from '#store/past.ts'
import type { CommandContext } from '../session.ts'
import { engineIn } from './engine.ts'
import { containersIn, worldOf } from './unknown-app.ts'
import { harmless } from '../views/paint.ts'

export async function tellLogs(
  { application, source }: Pick<ApplicationRecord, 'application' | 'source'>,
  containers: readonly string[],
  flags: Flags,
  context: CommandContext,
): Promise<number> {
  const { session, screen, signal } = context
  const store = (await session.memoryIfAny())?.store
  const reached = await session.reach(flags, application.kind, engineIn(source))
  const { target } = reached.ports(ownerOf(session.instance, application))
  const applied = await appliedOf(application, store)
  const all = applied ?? runningIn(await worldOf(application, target, context))
  const objects = meantIn(all, containers, application)
  const wanted = { tail: flags.tail, follows: flags.follows && screen.format === 'table' }
  const lines: string[] = []
  async function follow({ name, object }: AppliedContainer): Promise<void> {
    const lead = objects.length > 1 ? `${name} | ` : ''
    for await (const line of reached.logs?.(object, wanted, signal) ?? []) {
      if (wanted.follows) screen.print([`${lead}${line}`])
      else lines.push(`${lead}${line}`)
    }
  }
  if (wanted.follows) await Promise.all(objects.map(follow))
  else for (const one of objects) await follow(one)
  if (!wanted.follows) await told(lines, context)
  return 0
}

export async function tellKeptLogs(
  application: Application,
  containers: readonly string[],
  run: number,
  context: CommandContext,
): Promise<number> {
  const store = (await context.session.memoryIfAny())?.store
  await told(await keptLines(application, containers, run, store), context)
  return 0
}

async function told(lines: readonly string[], { screen }: CommandContext): Promise<void> {
  if (screen.format === 'table') screen.print(lines.map(harmless))
  else await screen.document({ lines: [...lines] })
}

type AppliedContainer = { readonly name: string; readonly object: string }

/** The names of containers in the engine are part of what was applied. */
async function appliedOf(
  application: Application,
  store: Store | undefined,
): Promise<readonly AppliedContainer[] | undefined> {
  const past = store && (await lastGood(application, store))
  return past?.snapshot.resources.flatMap(({ ref, spec }): readonly AppliedContainer[] => {
    const object = kindOf(ref) === 'container' ? objectIn(spec) : undefined
    return object === undefined ? [] : [{ name: nameOf(ref), object }]
  })
}

/** When the history is lost, what runs shows the names. */
function runningIn(world: Observation): readonly AppliedContainer[] {
  return containersIn(world).map(({ ref, object }) => ({ name: nameOf(ref), object }))
}

/** The name of a service stands for all its replicas. */
function meantIn(
  all: readonly AppliedContainer[],
  containers: readonly string[],
  application: Application,
): readonly AppliedContainer[] {
  const found = all.filter(({ name }) => isMeant(name, containers, application))
  const names = all.map(({ name }) => name)
  const container = containers.find(
    (one) => !names.some((name) => isMeant(name, [one], application)),
  )
  if (container === undefined) return found
  const { serviceOf } = wordsFor(application)
  const services = serviceOf === undefined ? [] : new Set(names.map(serviceOf))
  const meant = closest(container, [...services, ...names])
  throw new Problem({
    type: 'configuration',
    code: 'not_found',
    message: `${application.name} has no container named ${JSON.stringify(container)}`,
    suggestion: `${meant === undefined ? '' : `did you mean ${meant}? `}there are: ${names.join(', ')}`,
  })
}

/** Without a name all containers are meant. */
function isMeant(name: string, containers: readonly string[], application: Application): boolean {
  if (containers.length === 0 || containers.includes(name)) return true
  const service = wordsFor(application).serviceOf?.(name)
  return service !== undefined && containers.includes(service)
}

function objectIn(spec: Value): string | undefined {
  if (!isRecord<Value>(spec)) return undefined
  const object = Object.entries(spec).find(([field]) => field === 'object')?.[1]
  return typeof object === 'string' ? object : undefined
}

async function keptLines(
  application: Application,
  containers: readonly string[],
  run: number,
  store: Store | undefined,
): Promise<readonly string[]> {
  const events = (await store?.events(application, run)) ?? []
  const falls = events.flatMap((event) => {
    if (event.type !== 'group' || kindOf(event.ref) !== 'container') return []
    const isFall = event.phase === 'failed' && isMeant(nameOf(event.ref), containers, application)
    return isFall ? [event.problem?.details ?? []] : []
  })
  const details = falls.flat()
  if (details.length > 0) return details
  if (falls.length > 0) return ['(it wrote nothing)']
  const words = containers.join(' ')
  throw new Problem({
    type: 'configuration',
    code: 'not_found',
    message: `run ${run} of ${application.name} kept no log${containers.length === 0 ? '' : ` of ${words}`}`,
    suggestion:
      `logs are kept of containers that failed; of one that runs: tend logs ${application.name} ${words}`.trimEnd(),
  })
}
