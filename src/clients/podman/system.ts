/** What kind of Podman answers, and whether one does. */
import type { EngineAbout } from '#model/connection.ts'
import { numberOf, recordOf, textOf } from '#model/read-json.ts'
import type { Podman } from './client.ts'

export type Facts = {
  /** `4.3.1` */
  readonly version: string
  readonly isRootless: boolean
  readonly hasSELinux: boolean
  /** runc, crun */
  readonly runtime: string
}

export async function factsOf(podman: Podman, signal: AbortSignal): Promise<Facts> {
  const doing = 'could not ask Podman about itself'
  const { body } = await podman.ask('GET', '/info', { signal, doing })
  const info = recordOf(body)
  const host = recordOf(info['host'])
  const security = recordOf(host['security'])
  return {
    version: textOf(recordOf(info['version'])['Version']),
    isRootless: security['rootless'] === true,
    hasSELinux: security['selinuxEnabled'] === true,
    runtime: textOf(recordOf(host['ociRuntime'])['name']),
  }
}

/** The folder in which Podman keeps images, on its own machine. */
export async function storageFolder(podman: Podman, signal: AbortSignal): Promise<string> {
  const doing = 'could not ask Podman about itself'
  const { body } = await podman.ask('GET', '/info', { signal, doing })
  return textOf(recordOf(recordOf(body)['store'])['graphRoot'])
}

export async function aboutPodman(podman: Podman, signal: AbortSignal): Promise<EngineAbout> {
  const doing = 'could not ask Podman about itself'
  const { body } = await podman.ask('GET', '/info', { signal, doing })
  const { version, host } = recordOf(body)
  const { cpus, memTotal } = recordOf(host)
  return {
    engine: 'podman',
    version: textOf(recordOf(version)['Version']),
    processors: numberOf(cpus),
    memory: numberOf(memTotal),
  }
}

export async function ping(podman: Podman, signal: AbortSignal): Promise<void> {
  await podman.ask('GET', '/_ping', { signal, doing: 'Podman does not answer', silence: 5000 })
}

/** Whether `version` is at least this one. */
export function isAtLeast(version: string, major: number, minor: number): boolean {
  const [first = 0, second = 0] = version.split('.').map(Number)
  return first > major || (first === major && second >= minor)
}
