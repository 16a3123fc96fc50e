/** The port to a program that makes clusters. It is called over its command line, and believed only about what it lists. */

/** How a cluster is to be made, from its row and the settings. */
export type ClusterShape = {
  readonly name: string
  /** The image; null: the program's own. */
  readonly image: string | null
  readonly httpPort: number | null
  readonly httpsPort: number | null
  readonly subnet: string | null
  readonly servers: number
  readonly agents: number
  /** The address of the host on which the API server listens. */
  readonly apiAddress: string
  /** Laid over the generated configuration, key by key. */
  readonly config: Readonly<Record<string, unknown>>
}

export type ListedCluster = {
  /** Undefined: the program does not tell. */
  readonly isRunning: boolean | undefined
  readonly serverIp: string | undefined
  /** The part that does not run while the others do, in words: `its load balancer`. */
  readonly stoppedPart?: string | undefined
  /** A text that tells this cluster from any other that was ever made under its name. Undefined: nobody can say. */
  readonly identity?: string | undefined
  /** Undefined: nobody can say. */
  readonly facts?: ClusterFacts | undefined
  /** A part of it that was removed, in words: `its server`. */
  readonly missingPart?: string | undefined
}

/** What a cluster really is, as its program and its engine report it. */
export type ClusterFacts = {
  /** The port of the host that leads to port 80, and the one to 443. */
  readonly httpPort: number | null
  readonly httpsPort: number | null
  readonly servers: number
  readonly agents: number
  readonly apiAddress: string | null
  readonly image?: string | undefined
}

/** Every call throws a problem when it fails. None waits for more than the program itself does: a probe tells when it is up. */
export type ClusterProvider = {
  /** All of its clusters, in one call. What it can't say it throws: an empty list is an answer. */
  list(signal: AbortSignal): Promise<ReadonlyMap<string, ListedCluster>>
  create(shape: ClusterShape, signal: AbortSignal): Promise<void>
  remove(name: string, signal: AbortSignal): Promise<void>
  start(name: string, signal: AbortSignal): Promise<void>
  stop(name: string, signal: AbortSignal): Promise<void>
  /** The kubeconfig as a whole, with its certificates. */
  kubeconfig(name: string, signal: AbortSignal): Promise<string>
  /** The address of the node that serves its API on the network of the containers, where it is known. */
  serverIp(name: string, signal: AbortSignal): Promise<string | undefined>
}

export type ProgramSettings = {
  /** A path, or a name on the PATH. */
  readonly program: string
  /** The name of the provider in fleet.yaml. */
  readonly key: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The folder for generated configurations and for kubeconfig files of single clusters. */
  readonly folder: string
  /** The address of the host on which published ports listen. */
  readonly listen: string
}
