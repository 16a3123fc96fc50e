/** What kind of engine answers, and what it can do: found out by asking, not by its name. */
import { recordOf, textOf, textsOf } from '#model/read-json.ts'
import type { Docker } from './client.ts'
import { isAtLeast } from './negotiate.ts'

export type EngineFacts = {
  readonly apiVersion: string
  /** `20.10.24` */
  readonly version: string
  /** `linux/amd64` */
  readonly platform: string
  readonly isRootless: boolean
  readonly hasSELinux: boolean
  /** The kernel can limit how many processes a container has. */
  readonly limitsProcesses: boolean
  /** A create may join several networks; otherwise the others are connected one by one, before the start. */
  readonly joinsSeveralNetworks: boolean
  /** Health checks can be run from outside, and have to be where no timer runs them. */
  readonly runsChecksWhenAsked: boolean
}

export async function factsOf(docker: Docker, signal: AbortSignal): Promise<EngineFacts> {
  const doing = 'could not ask the engine about itself'
  const [apiVersion, info, version, runsChecksWhenAsked] = await Promise.all([
    docker.apiVersion(signal),
    docker.ask('GET', '/info', { signal, doing }),
    docker.ask('GET', '/version', { signal, doing }),
    hasCheckCall(docker, signal),
  ])
  const security = textsOf(recordOf(info.body)['SecurityOptions']).join(' ')
  const about = recordOf(version.body)
  return {
    apiVersion,
    version: textOf(about['Version']),
    platform: `${textOf(about['Os'])}/${textOf(about['Arch'])}`,
    isRootless: /\bname=rootless\b/.test(security),
    limitsProcesses: recordOf(info.body)['PidsLimit'] === true,
    hasSELinux: /\bname=selinux\b/.test(security),
    joinsSeveralNetworks: isAtLeast(apiVersion, '1.44'),
    runsChecksWhenAsked,
  }
}

/** The folder in which the engine keeps images, on its own machine. */
export async function storageFolder(docker: Docker, signal: AbortSignal): Promise<string> {
  const doing = 'could not ask the engine about itself'
  const { body } = await docker.ask('GET', '/info', { signal, doing })
  return textOf(recordOf(body)['DockerRootDir'])
}

export async function ping(docker: Docker, signal: AbortSignal): Promise<void> {
  const doing = 'the engine does not answer'
  await docker.ask('GET', '/_ping', { signal, doing, silence: 5000, isBare: true })
}

/** Podman has a second API beside Docker's on the same socket; only that one has the call. */
export async function hasCheckCall(docker: Docker, signal: AbortSignal): Promise<boolean> {
  const doing = 'could not ask the engine what it can do'
  const path = '/v4.0.0/libpod/_ping'
  const { status } = await docker.ask('GET', path, {
    signal,
    doing,
    isBare: true,
    fine: [400, 404],
  })
  return status === 200
}
