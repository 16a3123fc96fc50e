/** The port to an engine of containers: what Docker's API and libpod's can both do, in one set of words. */
import type { JsonRecord } from './json.ts'

/**
 * Every call is safe to repeat: what is already as it should be is fine. A body, and how a container is on a network, are in
 * the words of the API: what an engine is told differs too much to be said in one way.
 */
export type ContainerEngine = {
  /** The command line program that a person would use with this engine. */
  readonly program: 'docker' | 'podman'
  /** Whether paths, ports and processes of the engine are those of this machine. */
  readonly isLocal: boolean
  /** Gives undefined when there is no container of this name or id. */
  inspectContainer(name: string, signal: AbortSignal): Promise<InspectedContainer | undefined>
  /** Throws `name_taken` when there is a container of this name. */
  createContainer(wanted: NewContainer, signal: AbortSignal): Promise<MadeContainer>
  /** A container that runs already is no problem. `shown` is what a person calls it, where `name` is an id. */
  startContainer(name: string, signal: AbortSignal, shown?: string): Promise<unknown>
  /** Sends the container's own stop signal, and ends it by force after so many seconds. A container that is stopped or gone is no problem. */
  stopContainer(name: string, seconds: number, signal: AbortSignal): Promise<unknown>
  unpauseContainer(name: string, signal: AbortSignal): Promise<unknown>
  renameContainer(name: string, to: string, signal: AbortSignal): Promise<unknown>
  /** Removes a container by force, after so many seconds in which it may end. A container that is gone is no problem. */
  removeContainer(name: string, removal: Removal, signal: AbortSignal): Promise<unknown>
  /** The last lines that the container wrote, of both streams in order. */
  lastLines(name: string, count: number, signal: AbortSignal): Promise<readonly string[]>
  /** The labels of a network; undefined when there is none of this name. */
  networkLabels(name: string, signal: AbortSignal): Promise<Labels | undefined>
  createNetwork(body: JsonRecord, signal: AbortSignal): Promise<unknown>
  /** With an id only that one: one that somebody else made under the name stays. One that is gone is no problem; one that is in use is. */
  removeNetwork(name: string, signal: AbortSignal, id?: string): Promise<unknown>
  /** A container that is on the network already, or gone, is no problem. */
  connect(
    network: string,
    container: string,
    endpoint: Endpoint,
    signal: AbortSignal,
  ): Promise<unknown>
  /** A container that is not on the network is no problem. */
  disconnect(network: string, container: string, signal: AbortSignal): Promise<unknown>
  /**
   * How `connect` puts a container that was taken off a network on it again without names and with the addresses it had.
   * Undefined where the engine would give it others. Asked while it is still on the network.
   */
  namelessEndpoint(
    network: string,
    on: InspectedEndpoint,
    signal: AbortSignal,
  ): Promise<Endpoint | undefined>
  /** The labels of a volume; undefined when there is no volume of this name. */
  volumeLabels(name: string, signal: AbortSignal): Promise<Labels | undefined>
  /** Gives the labels of the volume that has the name now. A volume that is there already is never changed: it is given back, or is a problem. */
  createVolume(body: JsonRecord, signal: AbortSignal): Promise<Labels>
  /** A volume that is gone is no problem; one that is in use is. */
  removeVolume(name: string, signal: AbortSignal): Promise<unknown>
  listImages(signal: AbortSignal): Promise<readonly ListedImage[]>
  /** The id of an image, without `sha256:`; undefined when there is none of this name or id. */
  imageId(name: string, signal: AbortSignal): Promise<string | undefined>
  /** The image that this name or id means now; undefined when there is none. */
  inspectImage(name: string, signal: AbortSignal): Promise<InspectedImage | undefined>
  /** The names of the annotations that the engine gives containers of an image. Docker gives none, and an image that is not there has none. */
  imageAnnotations(name: string, signal: AbortSignal): Promise<readonly string[]>
}

export type InspectedImage = {
  /** The id without `sha256:`. */
  readonly id: string
  readonly labels: Labels
  /** The instructions (ONBUILD) that run in every build which starts from this image. */
  readonly onBuild: readonly string[]
  /** Empty where the image has none. */
  readonly workingDirectory: string
  /** Names in its environment that have no value. */
  readonly unsetVariables: readonly string[]
  readonly load: ImageLoad
}

/** What each container of an image adds to the lists, inspections and events of its engine, in letters. */
export type ImageLoad = {
  /** Of its labels, variables, command, health check and volumes. */
  readonly letters: number
  readonly ofPorts: number
}

export type Labels = Readonly<Record<string, string>>

/** How a container is on a network, in the words of the API: what `inspectContainer` tells, `connect` takes. */
export type Endpoint = JsonRecord

export type NewContainer = {
  readonly name: string
  /** The platform, such as `linux/arm64`; undefined: the engine's own. */
  readonly platform?: string | undefined
  readonly body: JsonRecord
}

export type MadeContainer = {
  readonly id: string
  /** What the engine could not do as it was asked to. */
  readonly warnings: readonly string[]
}

type Removal = {
  readonly seconds: number
  /** Whether volumes without a name of the user's go with it. */
  readonly withVolumes: boolean
}

export type InspectedContainer = {
  readonly id: string
  readonly name: string
  readonly labels: Labels
  /** The id of its image, without `sha256:`. */
  readonly imageId: string
  /** created, running, paused, exited, …; Podman has further words. */
  readonly state: string
  /** Whether the container runs. One that is paused counts too. */
  readonly isRunning: boolean
  readonly exitCode: number
  /** Why the engine could not start it; empty where it could, or does not say. */
  readonly startError: string
  /** The process id; 0 when the container does not run. */
  readonly pid: number
  /** When it was made, ms. */
  readonly createdAt: number
  /** When it last started, ms. */
  readonly startedAt: number
  /** By how much the engine's clock, by which these times are, is ahead of ours, ms; without: they are not apart. */
  readonly ahead?: number
  readonly restartCount: number
  /** The health as far as the engine ran the health check itself. */
  readonly health: InspectedHealth
  /** There is a health check, declared for the container or in its image. */
  readonly hasCheck: boolean
  /** The networks that the container is on, by name. */
  readonly networks: Readonly<Record<string, InspectedEndpoint>>
  /** The ports of the host, by the container's port and protocol: `80/tcp`. */
  readonly bindings: Readonly<Record<string, readonly PortBinding[]>>
}

/** `hostPort`: 0 where the engine chooses. */
export type PortBinding = { readonly hostIP: string; readonly hostPort: number }

export type InspectedHealth = {
  /** `healthy`, `unhealthy` or `starting`; empty without a health check. */
  readonly status: string
  readonly failingStreak: number
  readonly last: LastCheck | undefined
}

type LastCheck = {
  /** When it ended, ms. */
  readonly endedAt: number
  readonly exitCode: number
  readonly output: string
}

export type InspectedEndpoint = {
  /** The addresses, those of IPv4 first. */
  readonly addresses: readonly string[]
  readonly mac: string
  readonly endpoint: Endpoint
}

export type ListedImage = {
  /** The id; Docker writes `sha256:` before it. */
  readonly id: string
  /** The names with their tags. Podman gives the registry too: `localhost/tend/busybox:1`. */
  readonly names: readonly string[]
  /** `nginx@sha256:…` */
  readonly digests: readonly string[]
}

export type PublishedPort = {
  readonly hostIP: string
  /** The port of the host; 0 when the port is only exposed. */
  readonly hostPort: number
  readonly containerPort: number
  readonly protocol: string
}

/** The answer of a health check that was run just now. */
export type CheckResult = { readonly isHealthy: boolean; readonly output: string }
