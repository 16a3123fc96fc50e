/** The session of a real command line: real clock, real store, real engines, each opened when first asked for. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Application } from '#model/application.ts'
import type { Clock } from '#model/clock.ts'
import { Problem, problemOf } from '#model/problem.ts'
import { whereItWas, type Engine } from './application/engine.ts'
import { homeOf } from './home.ts'
import { found, nowhere, type Connected } from './nowhere.ts'
import type { Memory, Session } from './session.ts'
import type { Flags } from './arguments/invocation.ts'

export type Surroundings = {
  readonly environment: NodeJS.ProcessEnv
  readonly isRoot: boolean
  readonly pid: number
  readonly launcher: string
  /** For who waits: "tend upgrade". */
  readonly doing: string
  readonly note: (text: string) => void
}

export function openSession(surroundings: Surroundings): Session {
  const { environment, isRoot, pid, launcher, doing, note } = surroundings
  const home = homeOf(environment, isRoot)
  const instance = environment['TEND_INSTANCE'] ?? 'tend'
  let opened: Promise<Memory> | undefined
  const connected = new Map<string, Promise<Connected>>()

  async function open(): Promise<Memory> {
    const { openStore } = await import('#store/open.ts')
    const keyFile = environment['TEND_KEY_FILE']
    const { warnings, ...memory } = await openStore({ home, keyFile })
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
    holder: `${doing} (pid ${pid})`,
    launcher,
    memory,
    async memoryIfAny() {
      return existsSync(join(home, 'tend.db')) ? memory() : undefined
    },
    runtime(flags, kind, meant) {
      const engine = flags.target === undefined ? meant : undefined
      const key = `${kind} ${engine?.address ?? ''}`
      const known = connected.get(key)
      if (known !== undefined) return known
      const made = connect(kind, flags, instance, engine)
      connected.set(key, made)
      return made
    },
    async renderer() {
      const { renderChart } = await import('#domains/charts/render.ts')
      return renderChart
    },
    async seed(key, applicationKey, since) {
      const { seedOf } = await import('#store/key.ts')
      return seedOf(key, applicationKey, since)
    },
    async schemas() {
      const { jsonSchema, schemaNames } = await import('#domains/charts/json-schema.ts')
      return { names: schemaNames, schema: jsonSchema }
    },
    async close() {
      for (const made of connected.values()) (await made.catch(() => undefined))?.close()
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

async function connect(
  kind: Application['kind'],
  flags: Flags,
  instance: string,
  engine: Engine | undefined,
): Promise<Connected> {
  const made = await connectTo(kind, flags, instance, engine)
  return engine === undefined ? made : remembered(made, engine)
}

async function connectTo(
  kind: Application['kind'],
  flags: Flags,
  instance: string,
  engine: Engine | undefined,
): Promise<Connected> {
  if (kind !== 'stack') return connectCharts(flags, instance, engine)
  const { connectStacks } = await import('#cli/stack/connect.ts')
  return connectStacks(flags.target, instance, engine)
}

/** Nobody named it now: when it can't be reached, why it was asked at all is worth a word. */
function remembered(made: Connected, engine: Engine): Connected {
  const { target } = made
  return {
    ...made,
    target: {
      ...target,
      async observe(request) {
        try {
          return await target.observe(request)
        } catch (thrown) {
          throw whereItWas(problemOf(thrown), engine)
        }
      },
    },
  }
}

async function connectCharts(
  flags: Flags,
  instance: string,
  engine: Engine | undefined,
): Promise<Connected> {
  const { podmanAt } = await import('#clients/podman/client.ts')
  const { findSocket, surroundings } = await import('#clients/podman/socket.ts')
  const { chartsKind, chartsTarget } = await import('#domains/charts/domain.ts')
  const { recall } = await import('#domains/charts/recall.ts')
  const { logLines } = await import('#clients/podman/logs.ts')
  const address = engine?.address ?? found(() => findSocket(surroundings(flags.target)))
  if (address instanceof Problem) return nowhere(chartsKind, address)
  const client = podmanAt(address)
  return {
    kind: chartsKind,
    target: chartsTarget(client),
    engine: { address },
    recall: (signal) => recall(client, instance, signal),
    logs: (object, wanted, signal) => logLines(client, object, wanted, signal),
    close: () => client.close(),
  }
}
