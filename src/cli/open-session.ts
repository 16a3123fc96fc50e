/** The session of a real command line: real clock, real store, real engines, each opened when first asked for. */
import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Application } from '#model/application.ts'
import type { ApplicationKind } from '#model/application-kind.ts'
import type { Clock } from '#model/clock.ts'
import type { Connection } from '#model/connection.ts'
import type { Target } from '#model/domain.ts'
import type { EngineAddress } from '#model/engine-address.ts'
import type { Observation } from '#model/resource.ts'
import { kindNamed } from '#kinds/all.ts'
import { Problem, problemOf } from '#model/problem.ts'
import { whereItWas } from './application/engine.ts'
import { homeOf } from './home.ts'
import { unreachableTarget } from './unreachable-target.ts'
import type { Memory, Reached, Session } from './session.ts'

export type Surroundings = {
  readonly environment: NodeJS.ProcessEnv
  readonly isRoot: boolean
  readonly pid: number
  readonly launcher: string
  /** What this command does, for a run that waits for it: "tend upgrade". */
  readonly doing: string
  readonly note: (text: string) => void
}

export function openSession(surroundings: Surroundings): Session {
  const { environment, isRoot, pid, launcher, doing, note } = surroundings
  const home = homeOf(environment, isRoot)
  const instance = environment['TEND_INSTANCE'] ?? 'tend'
  const address = environment['TEND_DATABASE'] || undefined
  let opened: Promise<Memory> | undefined
  const reached = new Map<string, Promise<Reached>>()

  async function open(): Promise<Memory> {
    const { openStore } = await import('#store/open.ts')
    const keyFile = environment['TEND_KEY_FILE']
    const { warnings, ...memory } = await openStore({ home, keyFile, address })
    for (const warning of warnings) note(`Warning: ${warning}`)
    return memory
  }

  function memory(): Promise<Memory> {
    return (opened ??= open())
  }

  return {
    clock,
    environment,
    home,
    build: process.env.TEND_BUILD,
    instance,
    holder:
      address === undefined ? `${doing} (pid ${pid})` : `${doing} on ${hostname()} (pid ${pid})`,
    launcher,
    memory,
    async memoryIfAny() {
      const isKept = address !== undefined || existsSync(join(home, 'tend.db'))
      return isKept ? memory() : undefined
    },
    reach(flags, kind, meant) {
      const engine = flags.target === undefined ? meant : undefined
      const key = `${kind} ${engine?.address ?? ''}`
      const known = reached.get(key)
      if (known !== undefined) return known
      const made = reach(kind, flags.target, instance, engine)
      reached.set(key, made)
      return made
    },
    async chartRenderer() {
      const { renderChart } = await import('#domains/charts/render/render.ts')
      return renderChart
    },
    async seed(key, applicationKey, since) {
      const { seedOf } = await import('#store/key.ts')
      return seedOf(key, applicationKey, since)
    },
    async close() {
      // what was never reached has nothing to close
      for (const made of reached.values()) (await made.catch(() => undefined))?.close()
      const memories = await opened?.catch(() => undefined)
      await memories?.store.close()
    },
  }
}

const clock: Clock = {
  now: () => Date.now(),
  async sleep(milliseconds, signal) {
    try {
      await pause(milliseconds, undefined, { signal })
    } catch (thrown) {
      signal.throwIfAborted()
      throw thrown
    }
  },
  random: () => Math.random(),
}

async function reach(
  name: Application['kind'],
  target: string | undefined,
  instance: string,
  engine: EngineAddress | undefined,
): Promise<Reached> {
  const kind = kindNamed(name)
  const loaded = kind.hasOwnVerbs === true ? undefined : await kind.load?.()
  if (loaded === undefined) return unreachableTarget(onlyServed(kind))
  if (engine !== undefined) return remembered(loaded.connect(engine, instance), engine)
  const place = found(() => loaded.find(target))
  return place instanceof Problem ? unreachableTarget(place) : loaded.connect(place, instance)
}

function found(find: () => EngineAddress): EngineAddress | Problem {
  try {
    return find()
  } catch (thrown) {
    return problemOf(thrown)
  }
}

function onlyServed({ words }: ApplicationKind): Problem {
  return new Problem({
    type: 'configuration',
    code: 'not_possible_here',
    message: `${words.plural} are not reached from the command line`,
    suggestion: 'ask the service that runs them: tend get apps',
  })
}

/** The user did not name this engine: when it can't be reached, the problem says why it was asked at all. */
function remembered(connection: Connection, engine: EngineAddress): Connection {
  return {
    ...connection,
    ports(owner, declared) {
      const { kind, target } = connection.ports(owner, declared)
      async function observe(request: Parameters<Target['observe']>[0]): Promise<Observation> {
        try {
          return await target.observe(request)
        } catch (thrown) {
          throw whereItWas(problemOf(thrown), engine)
        }
      }
      return { kind, target: { ...target, observe } }
    },
  }
}
