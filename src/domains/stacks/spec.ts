/** The normalised specs of the three kinds: what render makes, what is recorded on the resources, what the target carries out. */
import type { Service } from '#formats/compose/schema/file.ts'
import type { Later, Sealed } from '#model/value.ts'
import type { Sealable, ServiceAsWritten } from './service-as-written.ts'

/**
 * One replica of a service. `service` holds what the user wrote in the user's own words (their paths are what plans show);
 * what names other things of the project (networks, volumes, configs, secrets) is resolved beside it. Unset fields are absent.
 */
export type ServiceSpec = {
  /** The container's name. */
  readonly object: string
  readonly image: string
  readonly pullPolicy: string
  /** As the user said it; otherwise side by side where that is safe. */
  readonly updateOrder?: 'start-first' | 'stop-first'
  /** Of a service that is built. */
  readonly build?: BuildSpec
  readonly service: ServiceAsWritten
  readonly networks: readonly AttachmentSpec[]
  readonly mounts: readonly MountSpec[]
  readonly files: readonly FileSpec[]
  /** Path in the container to the hash of the repository's file that is mounted there. */
  readonly contents: Readonly<Record<string, string>>
  /** What is done when such a file or folder changes, by path in the container; what is not named here is made anew. */
  readonly onChange?: Readonly<Record<string, OnChange>>
  /** Of those, the ones that lie in a place that stays and is filled anew: with which copy. */
  readonly fills?: Readonly<Record<string, Fill>>
  /** Namespaces and volumes of other containers: `network_mode` to the id of the container whose it is. */
  readonly joins: Readonly<Record<string, Later>>
  readonly volumesFrom: readonly JoinedVolumes[]
  /** Another service waits until it is so. */
  readonly awaited?: 'healthy' | 'completed'
  /** What goes on Compose's own labels; no part of the record. */
  readonly about: About
}

export type About = {
  readonly project: string
  readonly service: string
  readonly number: number
  /** As `composeVersion` computes it. */
  readonly configHash: string
  /** What else is right for the same service: as the other release computes it, and as was written before `env_file` counted. */
  readonly otherHashes?: readonly string[]
  /** Of one that uses something of another container, whose id counts: the hashes instead of those above. */
  readonly joined?: Joined
  /** Absent in what was kept before there was a choice: 2.40.3. */
  readonly composeVersion?: string
  readonly workingDirectory: string
  readonly configFiles: string
  readonly environmentFiles: string
  readonly dependsOn: string
}

export type Joined = {
  /** Whatever the service says is in them, hence sealed: first the one whose hash is written. */
  readonly texts: readonly Sealed[]
  /** By service, of its first container. */
  readonly ids: Readonly<Record<string, Later | string>>
}

/** The file says it as `x-tend: { on-change: … }`; `signal:SIGHUP` names the signal. */
export type OnChange = 'restart' | 'ignore' | `signal:${string}`

/** Paths of the engine's host. */
export type Fill = { readonly from: string; readonly to: string }

export type BuildSpec = {
  readonly context: string
  /** Of everything that goes into the image, where it could be read; a change builds anew. */
  readonly hash: string
  readonly definition: Sealable<BuildDefinition>
}

/** What a Compose file says of a build. */
export type BuildDefinition = Omit<NonNullable<Service['build']>, 'context'>

export type AttachmentSpec = {
  /** The network's name in the engine. */
  readonly network: string
  readonly aliases: readonly string[]
  readonly links?: readonly string[]
  readonly ipv4?: string
  readonly ipv6?: string
  readonly linkLocal?: readonly string[]
  readonly mac?: string
  readonly options?: Readonly<Record<string, string>>
  readonly gatewayPriority?: number
  readonly interfaceName?: string
}

export type MountSpec = {
  readonly target: string
  readonly readOnly: boolean
  readonly from:
    | {
        readonly kind: 'volume'
        /** Empty: an anonymous one. */
        readonly volume: string
        readonly nocopy?: boolean
        readonly subpath?: string
        readonly labels?: Readonly<Record<string, string>>
      }
    | {
        readonly kind: 'bind'
        readonly path: string
        readonly makesPath: boolean
        readonly propagation?: string
        readonly selinux?: string
        readonly recursive?: string
      }
    | { readonly kind: 'tmpfs'; readonly size?: number; readonly mode?: number }
    | { readonly kind: 'image'; readonly image: string; readonly subpath?: string }
}

/** A config or secret, put into the container before it starts. */
export type FileSpec = {
  readonly target: string
  /** Mounted from here instead: nothing can be put into a container whose root is read-only. */
  readonly path?: string
  readonly content: Sealed
  readonly mode: number
  readonly uid: number
  readonly gid: number
}

export type JoinedVolumes = { readonly container: Later | string; readonly readOnly: boolean }

/** Some may hold a secret. */
export type Texts = Readonly<Record<string, string | Sealed>>

export type NetworkSpec = {
  readonly object: string
  readonly isExternal: boolean
  readonly driver?: string
  readonly options?: Readonly<Record<string, string>>
  readonly ipam?: {
    readonly driver?: string
    readonly options?: Readonly<Record<string, string>>
    readonly pools: readonly Pool[]
  }
  readonly isInternal?: boolean
  readonly isAttachable?: boolean
  readonly hasIPv6?: boolean
  readonly hasIPv4?: boolean
  readonly labels?: Texts
  readonly about: ObjectAbout
}

export type Pool = {
  readonly subnet?: string
  readonly gateway?: string
  readonly range?: string
  readonly auxiliary?: Readonly<Record<string, string>>
}

export type VolumeSpec = {
  readonly object: string
  readonly isExternal: boolean
  readonly driver?: string
  readonly options?: Texts
  readonly labels?: Texts
  readonly about: ObjectAbout
}

/** `name`: what the Compose file calls it. */
export type ObjectAbout = {
  readonly project: string
  readonly name: string
  readonly composeVersion?: string
}

/** The kinds of refs of this domain, in the order in which output groups them. */
export const kinds = ['network', 'volume', 'container'] as const
