/** What makes clusters: asked over its command line, and believed only about what it lists. */

/** How a cluster is to be made, from its row and the settings. */
export type ClusterShape = {
  readonly name: string
  /** The program's own when there is none. */
  readonly image: string | null
  readonly httpPort: number | null
  readonly httpsPort: number | null
  readonly subnet: string | null
}

export type Listed = {
  /** Undefined: the program does not say. */
  readonly isRunning: boolean | undefined
  readonly serverIp: string | undefined
}

/** Every call throws a problem when it fails. None waits for more than the program itself does: a probe tells when it is up. */
export type ClusterProvider = {
  /** All of its clusters, in one call. What it can't say it throws: an empty list is an answer. */
  list(signal: AbortSignal): Promise<ReadonlyMap<string, Listed>>
  create(shape: ClusterShape, signal: AbortSignal): Promise<void>
  remove(name: string, signal: AbortSignal): Promise<void>
  start(name: string, signal: AbortSignal): Promise<void>
  stop(name: string, signal: AbortSignal): Promise<void>
  /** Whole, with its certificates. */
  kubeconfig(name: string, signal: AbortSignal): Promise<string>
  /** The address of the node that serves its API on the network of the containers, where it is known. */
  serverIp(name: string, signal: AbortSignal): Promise<string | undefined>
}

export type ProgramSettings = {
  /** A path, or a name on the PATH. */
  readonly program: string
  /** What names it in fleet.yaml. */
  readonly key: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Where generated configurations and kubeconfig files of single clusters are. */
  readonly folder: string
  /** Put over the generated configuration. */
  readonly config: Readonly<Record<string, unknown>>
  /** Where ports of the host listen. */
  readonly listen: string
}
