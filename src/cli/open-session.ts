/** The session of a real command line: real clock, real store, real Podman, each opened when first asked for. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '#model/clock.ts'
import type { Kind } from '#model/domain.ts'
import { Problem, problemOf } from '#model/problem.ts'
import { homeOf } from './home.ts'
import type { Memory, Runtime, Session } from './session.ts'
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
  let connected: Promise<Connected> | undefined

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
    runtime(flags) {
      return (connected ??= connect(flags, instance))
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
      const found = await connected?.catch(() => undefined)
      found?.close()
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

type Connected = Runtime & { close(): void }

async function connect(flags: Flags, instance: string): Promise<Connected> {
  const { podmanAt } = await import('#clients/podman/client.ts')
  const { findSocket, surroundings } = await import('#clients/podman/socket.ts')
  const { chartsKind, chartsTarget } = await import('#domains/charts/domain.ts')
  const { recall } = await import('#domains/charts/recall.ts')
  const { logLines } = await import('./podman-logs.ts')
  const address = attempt(() => findSocket(surroundings(flags.target)))
  if (address instanceof Problem) return nowhere(chartsKind, address)
  const client = podmanAt(address)
  return {
    kind: chartsKind,
    target: chartsTarget(client),
    recall: (signal) => recall(client, instance, signal),
    logs: (object, wanted, signal) => logLines(client, object, wanted, signal),
    close: () => client.close(),
  }
}

function attempt(find: () => string): string | Problem {
  try {
    return find()
  } catch (thrown) {
    return problemOf(thrown)
  }
}

/** No Podman is told when it is needed, not before: a chart that can't be read is the first thing to know. */
function nowhere(kind: Kind, problem: Problem): Connected {
  function refuse(): never {
    throw problem
  }
  return {
    kind,
    target: {
      observe: async () => refuse(),
      operate: async () => refuse(),
      look: async () => refuse(),
      watch: () => refuse(),
    },
    recall: async () => refuse(),
    logs: () => refuse(),
    close: () => undefined,
  }
}
