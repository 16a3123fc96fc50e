/** The session of a real command line: real clock, real store, real Podman, each opened when first asked for. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '#model/clock.ts'
import type { Podman } from '#clients/podman/client.ts'
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
  let opened: Promise<Memory> | undefined
  let connected: Promise<Runtime & { readonly client: Podman }> | undefined

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
    instance: environment['TEND_INSTANCE'] ?? 'tend',
    holder: `${doing} (pid ${pid})`,
    launcher,
    memory,
    async memoryIfAny() {
      return existsSync(join(home, 'tend.db')) ? memory() : undefined
    },
    runtime(flags) {
      return (connected ??= connect(flags))
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
      found?.client.close()
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

async function connect(flags: Flags): Promise<Runtime & { readonly client: Podman }> {
  const { podmanAt } = await import('#clients/podman/client.ts')
  const { findSocket, surroundings } = await import('#clients/podman/socket.ts')
  const { chartsKind, chartsTarget } = await import('#domains/charts/domain.ts')
  const { logLines } = await import('./podman-logs.ts')
  const client = podmanAt(findSocket(surroundings(flags.target)))
  return {
    client,
    kind: chartsKind,
    target: chartsTarget(client),
    logs: (object, wanted, signal) => logLines(client, object, wanted, signal),
  }
}
