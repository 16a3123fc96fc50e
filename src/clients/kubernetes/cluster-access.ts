/** Where a cluster's API is and how one proves who one is: what every way of finding a cluster gives. */

export type Certificate = { readonly cert: string; readonly key: string }

export type Credential = {
  /** The whole header, or none. */
  readonly authorization?: string
  readonly certificate?: Certificate
}

/** In whose name calls are made, where it is not one's own. */
export type Impersonation = {
  readonly user: string
  readonly groups?: readonly string[]
  readonly uid?: string
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

export type ClusterAccess = {
  /** `https://host:port`, and perhaps a path in front of all others. */
  readonly server: string
  /** PEM. The system's authorities when there is none. */
  readonly ca?: string
  /** The name that the server's certificate has to have, where it is not the host's. */
  readonly serverName?: string
  /** Only ever false where a user said so in so many words. */
  readonly isVerified: boolean
  /** `http://host:port`: the server is reached through it. */
  readonly proxy?: string
  /** Kept by whoever gives it; `isStale`: the last one was refused, and a new one is wanted where that is possible. */
  credential(isStale: boolean, signal: AbortSignal): Promise<Credential>
  readonly impersonation?: Impersonation
  /** This process runs in the cluster: it is reached there by the name of its service. */
  readonly isInside?: boolean
  /** What a pod, or a context, says is the namespace of things that name none. */
  readonly namespace?: string
}
