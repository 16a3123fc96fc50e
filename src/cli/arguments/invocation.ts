/** The parsed command line: which verb, which words, which flags. */
import type { ContainerFlags } from './container-flags.ts'
import type { FleetFlags } from './fleet-values.ts'
import type { KubeFlags } from './kube-flags.ts'
import type { KustomizeFlags } from './kustomize-flags.ts'
import type { VerbName } from './verbs.ts'

export type Format = 'table' | 'json' | 'yaml'

/** A flag that gives values. Across all such flags the later one wins. */
export type LayerFlag = {
  readonly kind: 'file' | 'set' | 'set-string' | 'set-json' | 'set-literal' | 'set-file'
  readonly text: string
}

/** Which Compose project is meant, and how it is read. */
type ProjectFlags = {
  readonly files: readonly string[]
  readonly name: string | undefined
  readonly directory: string | undefined
  readonly envFiles: readonly string[]
  readonly profiles: readonly string[]
  /** The version of docker compose whose behaviour is wanted; undefined: the one of this machine. */
  readonly composeVersion: string | undefined
}

/** How a stack is applied. */
type StackFlags = {
  readonly usesEnvironment: boolean
  readonly allowsOutside: boolean
  readonly adopts: boolean
  readonly scale: Readonly<Record<string, number>>
  readonly pull: string | undefined
  readonly builds: boolean
}

/** What `compose config` prints. */
export type ConfigFlags = {
  readonly format: 'json' | 'yaml' | undefined
  readonly hashes: boolean
  readonly services: boolean
  readonly isQuiet: boolean
  readonly interpolates: boolean
  readonly normalizes: boolean
  readonly checks: boolean
  readonly resolvesPaths: boolean
}

/** Flags of the service, and of the verbs that talk to it. */
export type ServiceFlags = {
  readonly configs: readonly string[]
  readonly listen: string | undefined
  readonly server: string | undefined
  readonly role: string | undefined
  readonly name: string | undefined
  readonly app: readonly string[]
  readonly expires: string | undefined
  readonly who: string | undefined
  readonly since: string | undefined
  readonly limit: number | undefined
  readonly database: string | undefined
  readonly offers: readonly string[]
  /** Waits only when the user asks for it, unlike the runs of this command itself. */
  readonly waits: boolean
}

export type Flags = {
  readonly namespace: string | null
  readonly isDryRun: boolean
  readonly isVerbose: boolean
  readonly isDebug: boolean
  readonly format: Format
  readonly hasColor: boolean
  readonly target: string | undefined
  readonly layers: readonly LayerFlag[]
  readonly resetsValues: boolean
  readonly allowEnv: readonly string[]
  readonly timeout: number
  readonly waits: boolean
  readonly isAtomic: boolean
  readonly concurrency: number
  readonly isSure: boolean
  readonly pruneVolumes: boolean
  readonly recreateVolumes: boolean
  readonly allowEmpty: boolean
  readonly allowMassDelete: boolean
  readonly hasExitCode: boolean
  readonly run: number | undefined
  readonly tail: number | undefined
  readonly follows: boolean
  readonly interval: number
  readonly installs: boolean
  readonly prints: boolean
  readonly project: ProjectFlags
  readonly stack: StackFlags
  readonly config: ConfigFlags
  readonly containers: ContainerFlags
  readonly service: ServiceFlags
  readonly kustomize: KustomizeFlags
  readonly fleet: FleetFlags
  readonly kube: KubeFlags
}

export type Invocation = {
  readonly verb: VerbName
  readonly words: readonly string[]
  readonly flags: Flags
}
