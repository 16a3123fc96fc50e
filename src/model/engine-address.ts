/** Where an engine listens, as it is kept with each run. */

export type EngineAddress = {
  /** `unix:///var/run/docker.sock`, `tcp://host:2375`, `ssh://me@host`. */
  readonly address: string
  readonly tls?: TlsFiles
}

/** Files that are not named are not used; files that are named have to be there. */
export type TlsFiles = {
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  readonly isVerified: boolean
}
