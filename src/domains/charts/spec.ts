/** The normalised specs of the five kinds: what render makes, what is recorded on the resources, what the target carries out. */
import type { Later, Sealed } from '#model/value.ts'

/**
 * Paths of these fields are what users read in plans ("memory: 512Mi → 1Gi"), so names are theirs and values are
 * canonical texts (1024Mi is 1Gi). `object` is the name in Podman: namespace prefix and name. Unset fields are absent.
 */
export type ContainerSpec = {
  readonly object: string
  readonly image: string
  readonly imagePullPolicy: 'always' | 'missing' | 'newer' | 'never'
  /** Replaces the image's entrypoint. */
  readonly command?: readonly string[]
  readonly args?: readonly string[]
  /** From envFile and env, in this order. Values of variables that look secret are sealed. */
  readonly env: Readonly<Record<string, string | Sealed>>
  readonly workingDir?: string
  /** `uid`, `uid:gid` or `:gid`. */
  readonly user?: string
  readonly groups?: readonly string[]
  /** `{ from: 'pod/NAME', output: 'object' }` */
  readonly pod?: Later
  readonly init?: 'once' | 'always'
  /** Never in a pod's member: there they are the pod's. */
  readonly ports: readonly PortSpec[]
  readonly mounts: readonly MountSpec[]
  readonly networks: readonly AttachmentSpec[]
  /** Variable to `{ from: 'secret/NAME', output: KEY }`: the name of that key's object in Podman. */
  readonly secretEnv: Readonly<Record<string, Later>>
  readonly secretFiles: readonly SecretFileSpec[]
  readonly health?: HealthSpec
  readonly privileged?: boolean
  readonly capabilitiesAdd?: readonly string[]
  readonly capabilitiesDrop?: readonly string[]
  readonly readOnlyRootFilesystem?: boolean
  readonly sysctl?: Readonly<Record<string, string>>
  /** Canonical quantities: "512Mi", "0.5". */
  readonly memory?: string
  readonly memoryReservation?: string
  readonly cpu?: string
  readonly cpuReservation?: string
  readonly restartPolicy: 'no' | 'on-failure' | 'always' | 'unless-stopped'
  /** The user's own labels only. */
  readonly labels?: Readonly<Record<string, string>>
  readonly hostname?: string
  readonly extraHosts?: Readonly<Record<string, string>>
  readonly ulimits?: Readonly<Record<string, { readonly soft: number; readonly hard: number }>>
  readonly devices?: readonly {
    readonly host: string
    readonly container: string
    readonly permissions: string
  }[]
  readonly stopSignal?: string
  readonly stopTimeoutSeconds?: number
  readonly logging?: { readonly driver: string; readonly options: Readonly<Record<string, string>> }
}

/** `hostPort` 0: a random one. */
export type PortSpec = {
  readonly containerPort: number
  readonly hostPort: number
  readonly protocol: 'tcp' | 'udp' | 'sctp'
  readonly hostIP?: string
}

export type AttachmentSpec = { readonly network: string; readonly aliases: readonly string[] }

export type MountSpec = {
  readonly path: string
  readonly readOnly: boolean
  readonly subPath?: string
  readonly seLinux?: 'shared' | 'private'
  readonly uidMapping?: IdMapping
  readonly gidMapping?: IdMapping
  readonly from:
    | { readonly kind: 'named'; readonly volume: string }
    | { readonly kind: 'host'; readonly path: string; readonly type: HostPathType }
    | { readonly kind: 'memory'; readonly size?: string }
}

export type IdMapping = {
  readonly containerID: number
  readonly hostID: number
  readonly size: number
}

export type HostPathType =
  | 'DirectoryOrCreate'
  | 'Directory'
  | 'FileOrCreate'
  | 'File'
  | 'Socket'
  | 'CharDevice'
  | 'BlockDevice'

export type SecretFileSpec = {
  /** `{ from: 'secret/NAME', output: KEY }` */
  readonly object: Later
  readonly target: string
}

export type HealthSpec = {
  /** `['CMD', …]` or `['CMD-SHELL', text]`, as Podman takes it. */
  readonly test: readonly string[]
  /** What a person calls the check: "GET /health". Absent for commands. */
  readonly http?: { readonly path: string; readonly port: number }
  readonly intervalSeconds: number
  readonly timeoutSeconds: number
  readonly startPeriodSeconds: number
  readonly retries: number
}

export type NetworkSpec = {
  readonly object: string
  readonly driver: string
  readonly subnet?: string
  readonly gateway?: string
  readonly options?: Readonly<Record<string, string>>
  readonly labels?: Readonly<Record<string, string>>
}

/** `host` and `memory` ones have no object in Podman: they take effect as the mounts of the containers that use them. */
export type VolumeSpec = {
  readonly object: string
  readonly labels?: Readonly<Record<string, string>>
  readonly owner?: { readonly user?: number; readonly group?: number }
  readonly seLinux?: 'shared' | 'private'
  readonly from:
    | {
        readonly kind: 'named'
        readonly driver: string
        readonly options?: Readonly<Record<string, string>>
        /** An emptyDir on disk: it has no data of its own to protect, so it goes with the application. */
        readonly isEphemeral: boolean
      }
    | { readonly kind: 'host'; readonly path: string; readonly type: HostPathType }
    | { readonly kind: 'memory'; readonly size?: string }
}

export type SecretSpec = {
  readonly object: string
  readonly type: string
  readonly keys: Readonly<Record<string, Sealed>>
  readonly labels?: Readonly<Record<string, string>>
}

/** Ports and networks of all its members: in a pod they belong to the pod. */
export type PodSpec = {
  readonly object: string
  readonly hostname?: string
  readonly ports: readonly PortSpec[]
  readonly networks: readonly AttachmentSpec[]
  readonly sysctl?: Readonly<Record<string, string>>
  readonly extraHosts?: Readonly<Record<string, string>>
  readonly labels?: Readonly<Record<string, string>>
}

/** The kinds of refs of this domain, in the order in which output groups them. */
export const kinds = ['network', 'volume', 'secret', 'pod', 'container'] as const
