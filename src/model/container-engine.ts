/** The port to an engine of containers: what Docker's API and libpod's can both do, in one set of words. */
import type { JsonRecord } from './json.ts'

/**
 * Every call is safe to repeat: what is already as it should be is fine. A body, and how a container is on a network, are in
 * the words of the API: what an engine is told differs too much to be said in one way.
 */
export type ContainerEngine = {
  /** The command that a person would type for it. */
  readonly program: 'docker' | 'podman'
  /** Whether paths, ports and processes of the engine are those of this machine. */
  readonly isLocal: boolean
  /** Undefined when there is none under this name or id. */
  inspectContainer(name: string, signal: AbortSignal): Promise<InspectedContainer | undefined>
  /** Throws `name_taken` when there is one of this name. */
  createContainer(wanted: NewContainer, signal: AbortSignal): Promise<MadeContainer>
  /** One that runs already is fine. `shown`: what a person calls it, where `name` is an id. */
  startContainer(name: string, signal: AbortSignal, shown?: string): Promise<unknown>
  /** By its own stop signal, by force after so many seconds. One that is stopped or gone is fine. */
  stopContainer(name: string, seconds: number, signal: AbortSignal): Promise<unknown>
  unpauseContainer(name: string, signal: AbortSignal): Promise<unknown>
  renameContainer(name: string, to: string, signal: AbortSignal): Promise<unknown>
  /** By force, after so many seconds to end in. One that is gone is fine. */
  removeContainer(name: string, removal: Removal, signal: AbortSignal): Promise<unknown>
  /** The last lines that it wrote, both streams in order. */
  lastLines(name: string, count: number, signal: AbortSignal): Promise<readonly string[]>
  /** The labels of a network; undefined when there is none of this name. */
  networkLabels(name: string, signal: AbortSignal): Promise<Labels | undefined>
  createNetwork(body: JsonRecord, signal: AbortSignal): Promise<unknown>
  /** One that is gone is fine; one that is in use is a problem. */
  removeNetwork(name: string, signal: AbortSignal): Promise<unknown>
  /** Fine when the container is on it already, or gone. */
  connect(
    network: string,
    container: string,
    endpoint: Endpoint,
    signal: AbortSignal,
  ): Promise<unknown>
  /** Fine when the container is not on it. */
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
  /** The labels of a volume; undefined when there is none of this name. */
  volumeLabels(name: string, signal: AbortSignal): Promise<Labels | undefined>
  /** The labels of the one that has the name now. One that is there already is never changed: it is given back, or a problem. */
  createVolume(body: JsonRecord, signal: AbortSignal): Promise<Labels>
  /** One that is gone is fine; one that is in use is a problem. */
  removeVolume(name: string, signal: AbortSignal): Promise<unknown>
  listImages(signal: AbortSignal): Promise<readonly ListedImage[]>
  /** Without what it is a digest of; undefined when there is none under this name or id. */
  imageId(name: string, signal: AbortSignal): Promise<string | undefined>
  /** The image that this name or id means now; undefined when there is none. */
  inspectImage(name: string, signal: AbortSignal): Promise<InspectedImage | undefined>
}

export type InspectedImage = {
  /** Without what it is a digest of. */
  readonly id: string
  readonly labels: Labels
  /** Instructions that run in every build which starts from it. */
  readonly onBuild: readonly string[]
}

export type Labels = Readonly<Record<string, string>>

/** How a container is on a network, in the words of the API: what `inspectContainer` tells, `connect` takes. */
export type Endpoint = JsonRecord

export type NewContainer = {
  readonly name: string
  /** `linux/arm64`; the engine's own when undefined. */
  readonly platform?: string | undefined
  readonly body: JsonRecord
}

export type MadeContainer = {
  readonly id: string
  /** What the engine could not do as asked. */
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
  /** Of its image, without what it is a digest of. */
  readonly imageId: string
  /** created, running, paused, exited, …; Podman has further words. */
  readonly state: string
  /** Also while it is paused. */
  readonly isRunning: boolean
  readonly exitCode: number
  /** 0 when it does not run. */
  readonly pid: number
  /** When it last started, ms. */
  readonly startedAt: number
  readonly restartCount: number
  /** As far as the engine ran its health check itself. */
  readonly health: InspectedHealth
  /** It has a health check, its own or its image's. */
  readonly hasCheck: boolean
  /** By the name of the network. */
  readonly networks: Readonly<Record<string, InspectedEndpoint>>
  /** By the container's port and protocol: `80/tcp`. */
  readonly bindings: Readonly<Record<string, readonly PortBinding[]>>
}

/** `hostPort`: 0 where the engine chooses. */
export type PortBinding = { readonly hostIP: string; readonly hostPort: number }

export type InspectedHealth = {
  /** healthy, unhealthy, starting; '' without a check. */
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
  /** IPv4 first. */
  readonly addresses: readonly string[]
  readonly mac: string
  readonly endpoint: Endpoint
}

export type ListedImage = {
  /** With `sha256:` before it from Docker. */
  readonly id: string
  /** With tag, and with registry from Podman: `localhost/tend/busybox:1`. */
  readonly names: readonly string[]
  /** `nginx@sha256:…` */
  readonly digests: readonly string[]
}

export type PublishedPort = {
  readonly hostIP: string
  /** 0 when it is only exposed. */
  readonly hostPort: number
  readonly containerPort: number
  readonly protocol: string
}

/** The answer of a health check that was run just now. */
export type CheckResult = { readonly isHealthy: boolean; readonly output: string }
