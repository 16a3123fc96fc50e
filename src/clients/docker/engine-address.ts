/** Where an engine listens, as a user writes it, and what Docker's command does over ssh and TLS. */
import type { ServerAddress } from '#clients/http/connection.ts'
import {
  serverAddressAt,
  sshProgram,
  type EngineDefaults,
  type Program,
} from '#clients/http/engine-address.ts'
import type { EngineAddress } from '#model/engine-address.ts'
import { Problem } from '#model/problem.ts'

const defaults: EngineDefaults = {
  port: (isTls) => (isTls ? 2376 : 2375),
  relay: (socket) => ['docker', ...(socket === undefined ? [] : ['--host', socket])],
  tlsAdvice: 'DOCKER_CERT_PATH names a folder with ca.pem, cert.pem and key.pem',
}

export function serverAddressOf(engine: EngineAddress): ServerAddress {
  return serverAddressAt(engine, defaults)
}

export function sshTo(address: string): Program {
  return sshProgram(address, defaults)
}

/** Completes an address that a user wrote. `by` names the flag or variable that it comes from. */
export function checkedAddress(address: string, by: string): string {
  if (address.startsWith('/')) return `unix://${address}`
  if (/^unix:\/+./.test(address)) return address.replace(/^unix:\/+/, 'unix:///')
  if (/^(tcp|ssh):\/\//.test(address) && URL.canParse(address)) {
    const { hostname, protocol, password } = new URL(address)
    if (hostname !== '' && !hostname.startsWith('-') && password === '') return address
    if (protocol === 'ssh:' && password !== '') throw withPassword(by)
  }
  throw new Problem({
    type: 'configuration',
    code: 'usage',
    message: `${by}: ${address} is not an address of an engine`,
    suggestion:
      'write unix:///path/to/docker.sock, /path/to/docker.sock, tcp://host:port or ssh://user@host',
  })
}

function withPassword(by: string): Problem {
  return new Problem({
    type: 'configuration',
    code: 'usage',
    message: `${by}: a password in an ssh address is not used`,
    suggestion: 'use a key: ssh-copy-id USER@HOST, then leave the password out',
  })
}
