/** Where a cluster's API is and how one proves who one is: what every way of finding a cluster gives. */

export type Certificate = { readonly cert: string; readonly key: string }

export type Credential = {
  /** The whole header, if there is one. */
  readonly authorization?: string
  readonly certificate?: Certificate
}

/** The user in whose name calls are made, where that is another one. */
export type Impersonation = {
  readonly user: string
  readonly groups?: readonly string[]
  readonly uid?: string
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

export type ClusterAccess = {
  /** `https://host:port`, optionally with a path that goes before all others. */
  readonly server: string
  /** The certificates of authorities as PEM; without it those of the system. */
  readonly ca?: string
  /** The name that the server's certificate has to have, where it is not the host's. */
  readonly serverName?: string
  /** False only where a user said so explicitly. */
  readonly isVerified: boolean
  /** `http://host:port`: the server is reached through it. */
  readonly proxy?: string
  /** Gives the credential, which its source keeps. `isStale`: the last one was refused, and a new one is wanted where that is possible. */
  credential(isStale: boolean, signal: AbortSignal): Promise<Credential>
  readonly impersonation?: Impersonation
  /** This process runs in the cluster: it is reached there by the name of its service. */
  readonly isInside?: boolean
  /** The namespace of objects that name none, from the pod or the context. */
  readonly namespace?: string
}
