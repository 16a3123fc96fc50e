/** Where an engine listens, as a user writes it, and as the connection wants it: unix, tcp, tcp with TLS, ssh. */
import { readFileSync } from 'node:fs'
import { openProcess } from '#clients/command/process-stream.ts'
import type { Place, Tls } from '#clients/http/connection.ts'
import type { EnginePlace, TlsFiles } from '#model/engine-place.ts'
import { Problem } from '#model/problem.ts'

export function placeOf(engine: EnginePlace): Place {
  const { address } = engine
  if (address.startsWith('ssh://')) return { open: () => openProcess(sshTo(address)) }
  if (!address.startsWith('tcp://')) return { socketPath: address.replace(/^unix:(\/\/)?/, '') }
  const { hostname, port } = new URL(address)
  const host = hostname.replace(/^\[|\]$/g, '')
  const number = Number(port === '' ? (engine.tls === undefined ? '2375' : '2376') : port)
  if (engine.tls === undefined) return { host, port: number }
  return { host, port: number, tls: pemsOf(engine.tls) }
}

/** What a user may write, made whole; `by` names where it was written. */
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

/** Never asks anything: where a key is missing it fails with ssh's own words. A path names the socket on the other side. */
export function sshTo(address: string): {
  readonly program: string
  readonly arguments: readonly string[]
} {
  const { hostname, port, username, pathname } = new URL(address)
  const socket = pathname === '' || pathname === '/' ? undefined : decodeURIComponent(pathname)
  return {
    program: 'ssh',
    arguments: [
      '-T',
      '-oBatchMode=yes',
      '-oConnectTimeout=30',
      ...(username === '' ? [] : ['-l', decodeURIComponent(username)]),
      ...(port === '' ? [] : ['-p', port]),
      '--',
      hostname.replace(/^\[|\]$/g, ''),
      'docker',
      ...(socket === undefined ? [] : ['--host', quoted(`unix://${socket}`)]),
      'system',
      'dial-stdio',
    ],
  }
}

/** For the shell on the other side. */
function quoted(text: string): string {
  return /^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

function pemsOf(files: TlsFiles): Tls {
  return {
    isVerified: files.isVerified,
    ...(files.ca === undefined ? {} : { ca: pem(files.ca) }),
    ...(files.cert === undefined ? {} : { cert: pem(files.cert) }),
    ...(files.key === undefined ? {} : { key: pem(files.key) }),
  }
}

function pem(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Problem({
      type: 'configuration',
      code: 'usage',
      message: `${file} can't be read: ${error instanceof Error ? error.message : String(error)}`,
      suggestion: 'DOCKER_CERT_PATH names a folder with ca.pem, cert.pem and key.pem',
      cause: error,
    })
  }
}
