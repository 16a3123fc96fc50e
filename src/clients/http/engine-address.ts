/** Where an engine listens, as the connection wants it: a socket, tcp, tcp with TLS, ssh. */
import { readFileSync } from 'node:fs'
import { openProcess } from '#clients/command/process-stream.ts'
import type { EngineAddress, TlsFiles } from '#model/engine-address.ts'
import { Problem } from '#model/problem.ts'
import type { ServerAddress, Tls } from './connection.ts'

/** What Docker and Podman do differently where an address leaves something open. */
export type EngineDefaults = {
  /** The port, where an address over tcp names none. */
  port(isTls: boolean): number
  /** The command that ssh runs on the other machine to carry the connection. `socket`: the socket that the address names there. */
  relay(socket: string | undefined): readonly string[]
  /** The file of the ssh key, where the user names one. */
  readonly identity?: string | undefined
  /** What to do when a file of TLS can't be read. */
  readonly tlsAdvice: string
}

export function serverAddressAt(
  { address, tls }: EngineAddress,
  defaults: EngineDefaults,
): ServerAddress {
  if (address.startsWith('ssh://')) {
    const program = sshProgram(address, defaults)
    return { open: () => openProcess(program) }
  }
  if (!address.startsWith('tcp://')) return { socketPath: address.replace(/^unix:(\/\/)?/, '') }
  const { hostname, port } = new URL(address)
  const host = hostname.replace(/^\[|\]$/g, '')
  const number = port === '' ? defaults.port(tls !== undefined) : Number(port)
  if (tls === undefined) return { host, port: number }
  return { host, port: number, tls: pemsOf(tls, defaults.tlsAdvice) }
}

export type Program = { readonly program: string; readonly arguments: readonly string[] }

/** ssh never asks anything: where a key is missing it fails with its own words. A path in the address names the socket on the other machine. */
export function sshProgram(
  address: string,
  { relay, identity = '' }: Pick<EngineDefaults, 'relay' | 'identity'>,
): Program {
  const { hostname, port, username, pathname } = new URL(address)
  const socket = pathname === '' || pathname === '/' ? undefined : decodeURIComponent(pathname)
  return {
    program: 'ssh',
    arguments: [
      '-T',
      '-oBatchMode=yes',
      '-oConnectTimeout=30',
      ...(identity === '' ? [] : ['-i', identity]),
      ...(username === '' ? [] : ['-l', decodeURIComponent(username)]),
      ...(port === '' ? [] : ['-p', port]),
      '--',
      hostname.replace(/^\[|\]$/g, ''),
      ...relay(socket === undefined ? undefined : quoted(`unix://${socket}`)),
      'system',
      'dial-stdio',
    ],
  }
}

/** Quotes a text for the shell on the other machine. */
function quoted(text: string): string {
  return /^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

function pemsOf({ isVerified, ca, cert, key }: TlsFiles, advice: string): Tls {
  return {
    isVerified,
    ...(ca === undefined ? {} : { ca: pem(ca, advice) }),
    ...(cert === undefined ? {} : { cert: pem(cert, advice) }),
    ...(key === undefined ? {} : { key: pem(key, advice) }),
  }
}

function pem(file: string, suggestion: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Problem({
      type: 'configuration',
      code: 'usage',
      message: `${file} can't be read: ${error instanceof Error ? error.message : String(error)}`,
      suggestion,
      cause: error,
    })
  }
}
