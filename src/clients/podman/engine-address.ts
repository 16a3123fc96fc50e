/** Where a Podman listens, and what its command does over ssh and TLS. */
import type { ServerAddress } from '#clients/http/connection.ts'
import {
  serverAddressAt,
  sshProgram,
  type EngineDefaults,
  type Program,
} from '#clients/http/engine-address.ts'
import type { EngineAddress, TlsFiles } from '#model/engine-address.ts'

export type Environment = Readonly<Record<string, string | undefined>>

const defaults: EngineDefaults = {
  port: () => 8080,
  relay: (socket) => ['podman', ...(socket === undefined ? ['--remote'] : ['--url', socket])],
  tlsAdvice: 'CONTAINER_TLS_CA, CONTAINER_TLS_CERT and CONTAINER_TLS_KEY name PEM files',
}

export function serverAddressOf(engine: EngineAddress, environment: Environment): ServerAddress {
  return serverAddressAt(engine, { ...defaults, identity: environment['CONTAINER_SSHKEY'] })
}

/**
 * As Podman's own connections are named: `ssh://user@host:22/run/podman/podman.sock`; without a path, that Podman's own
 * socket.
 */
export function sshTo(address: string, identity: string | undefined): Program {
  return sshProgram(address, { ...defaults, identity })
}

/** The files of TLS by the names that Podman 5.7 gives them; undefined where none is named. */
export function tlsIn(environment: Environment): TlsFiles | undefined {
  const named = {
    ca: environment['CONTAINER_TLS_CA'],
    cert: environment['CONTAINER_TLS_CERT'],
    key: environment['CONTAINER_TLS_KEY'],
  }
  const files = Object.entries(named).filter(([, file]) => file !== undefined && file !== '')
  return files.length === 0 ? undefined : { ...Object.fromEntries(files), isVerified: true }
}
