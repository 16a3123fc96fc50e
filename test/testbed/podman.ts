/** A Podman service of its own in a scratch folder: several live side by side, and nothing is left of one that was stopped. */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { clearPodman } from './podman-clear.ts'
import { layOut, type Layout } from './podman-layout.ts'
import { startService } from './podman-service.ts'
import { clearNetwork, end, processesOf, sweep, takeScratch } from './scratch.ts'

export type TestPodman = {
  readonly socket: string
  /** The scratch folder; Podman's storage is in `root` below it. */
  readonly root: string
  /** A `podman` command on the same storage, for tools that call one. */
  readonly command: string
  /** Ends the service and starts it again. `isReboot`: without a word to anyone, everything that runs is gone too. */
  restart(options?: { readonly isReboot?: boolean }): Promise<void>
  stop(): Promise<void>
}

export type TestPodmanOptions = {
  /** Registries (host:port) that speak plain HTTP. */
  readonly plainRegistries?: readonly string[]
  /** Outlives this process. */
  readonly isKept?: boolean
}

export async function startPodman(options: TestPodmanOptions = {}): Promise<TestPodman> {
  const scratch = takeScratch(options.isKept ?? false)
  const layout = layOut(scratch, options.plainRegistries ?? [])
  await startService(layout, options.isKept ?? false)
  async function stop(): Promise<void> {
    await clearPodman(layout.socket)
    sweep(layout.root)
  }
  async function restart(how: { readonly isReboot?: boolean } = {}): Promise<void> {
    if (how.isReboot === true) await powerOff(layout)
    else await endService(layout)
    await startService(layout, options.isKept ?? false)
  }
  return { socket: layout.socket, root: layout.root, command: layout.command, restart, stop }
}

async function endService(layout: Layout): Promise<void> {
  for (const pid of processesOf(layout.marker)) end(pid)
  await sleep(50)
}

/** What is left after it is the disk: the run root and the mounts are gone. */
async function powerOff(layout: Layout): Promise<void> {
  while (processesOf(layout.root).length > 0) {
    for (const pid of processesOf(layout.root)) end(pid)
    await sleep(20)
  }
  clearNetwork(layout.root)
  rmSync(join(layout.root, 'anchor.pid'), { force: true })
  for (const folder of ['run', 'tmp']) {
    rmSync(join(layout.root, folder), { recursive: true, force: true, maxRetries: 5 })
    mkdirSync(join(layout.root, folder))
  }
}
