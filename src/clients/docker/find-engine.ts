/** Finds the engine to speak to, in the order that users expect, or says what was tried and how to start one. */
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { Problem } from '#model/problem.ts'
import { currentContext, engineOfContext, type ContextFiles } from './docker-context.ts'
import type { EngineAddress, TlsFiles } from '#model/engine-address.ts'
import { checkedAddress } from './engine-address.ts'

export type Surroundings = {
  /** What the user typed behind --target. */
  readonly target?: string | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly uid: number
  readonly home: string
  exists(path: string): boolean
  /** Whether this user may read and write there. */
  mayUse(path: string): boolean
  read(path: string): string | undefined
}

export function surroundings(target: string | undefined): Surroundings {
  const uid = process.getuid?.() ?? 0
  return {
    target,
    environment: process.env,
    uid,
    home: homedir(),
    exists: existsSync,
    mayUse,
    read,
  }
}

/** Finds the engine for `dockerAt`. An engine that is named is taken as it is; of the usual places the first that may be used is. */
export function findEngine(around: Surroundings): EngineAddress {
  const { environment } = around
  const folder = environment['DOCKER_CONFIG'] || join(around.home, '.docker')
  const files: ContextFiles = { ...around, folder }
  const named = [
    ['--target', around.target],
    ['DOCKER_HOST', environment['DOCKER_HOST']],
  ] as const
  for (const [by, address] of named) {
    if (address) return withTls(checkedAddress(address, by), around, folder)
  }
  const context = environment['DOCKER_CONTEXT'] || currentContext(files)
  if (context !== undefined && context !== 'default') return engineOfContext(files, context)
  const host = environment['CONTAINER_HOST']
  if (host) return { address: checkedAddress(host, 'CONTAINER_HOST') }
  const usual = usualPlaces(around)
  const found = usual.find((path) => around.mayUse(path))
  if (found !== undefined) return { address: `unix://${found}` }
  throw nothing(around, usual, folder)
}

/** DOCKER_TLS_VERIFY or DOCKER_CERT_PATH asks for TLS. With TLS the certificate is always checked, whatever the address is. */
function withTls(address: string, around: Surroundings, folder: string): EngineAddress {
  const certificates = around.environment['DOCKER_CERT_PATH']
  const isAsked = Boolean(around.environment['DOCKER_TLS_VERIFY']) || Boolean(certificates)
  if (!address.startsWith('tcp://') || !isAsked) return { address }
  const from = certificates || folder
  const tls: TlsFiles = {
    ca: join(from, 'ca.pem'),
    cert: join(from, 'cert.pem'),
    key: join(from, 'key.pem'),
    isVerified: true,
  }
  return { address, tls }
}

function usualPlaces(around: Surroundings): readonly string[] {
  const runtime = around.environment['XDG_RUNTIME_DIR'] || `/run/user/${around.uid}`
  return [
    '/var/run/docker.sock',
    join(runtime, 'docker.sock'),
    join(runtime, 'podman', 'podman.sock'),
    '/run/podman/podman.sock',
  ]
}

function nothing(around: Surroundings, usual: readonly string[], folder: string): Problem {
  const denied = usual.find((path) => around.exists(path))
  const user = around.uid === 0 ? '' : '--user '
  const start = `systemctl start docker (or for Podman: systemctl ${user}start podman.socket)`
  return new Problem({
    type: 'configuration',
    code: 'unreachable',
    message:
      denied === undefined
        ? 'no Docker and no Podman was found'
        : `${denied} is there, but you may not use it`,
    suggestion:
      denied === undefined
        ? `start one: ${start}; or name it with --target unix:///path/to.sock`
        : 'join the group that owns it (sudo usermod -aG docker $USER, then log in again), or name another with --target',
    details: [
      'tried: --target, DOCKER_HOST, DOCKER_CONTEXT and CONTAINER_HOST (not set)',
      `tried: the current context in ${join(folder, 'config.json')} (none)`,
      ...usual.map((path) => `tried: ${path}${around.exists(path) ? ' (no permission)' : ''}`),
    ],
  })
}

function mayUse(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return true
  } catch {
    // it is not there, or this user may not use it
    return false
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // without the file the next place is tried
    return undefined
  }
}
