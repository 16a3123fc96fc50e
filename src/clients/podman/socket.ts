/** Finds the Podman to speak to, in the order that users expect, or says what was tried and how to start one. */
import { existsSync } from 'node:fs'
import { Problem } from '#model/problem.ts'

export type Surroundings = {
  /** What the user typed behind --target. */
  readonly target?: string | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly uid: number
  exists(path: string): boolean
}

export function surroundings(target: string | undefined): Surroundings {
  return { target, environment: process.env, uid: process.getuid?.() ?? 0, exists: existsSync }
}

/** An address for `podmanAt`. An address that is named is taken as it is; of the usual places the first that exists is. */
export function findSocket(around: Surroundings): string {
  const { target, environment, uid } = around
  const named = [
    ['--target', target],
    ['CONTAINER_HOST', environment['CONTAINER_HOST']],
    ['PODMAN_SOCK', environment['PODMAN_SOCK']],
  ] as const
  for (const [by, address] of named) {
    if (address !== undefined && address !== '') return checked(address, by)
  }
  const runtime = environment['XDG_RUNTIME_DIR'] ?? `/run/user/${uid}`
  const rootless = `${runtime}/podman/podman.sock`
  const usual = [rootless, '/run/podman/podman.sock']
  const found = usual.find((path) => around.exists(path))
  if (found !== undefined) return `unix://${found}`
  const start =
    uid === 0
      ? 'systemctl start podman.socket (or: podman system service -t 0 &)'
      : 'systemctl --user start podman.socket (or: podman system service -t 0 &)'
  throw new Problem({
    type: 'configuration',
    code: 'unreachable',
    message: 'no Podman socket was found',
    suggestion: `start one: ${start}; or name it with --target unix:///path/to.sock`,
    details: [
      'tried: --target, CONTAINER_HOST and PODMAN_SOCK (not set)',
      ...usual.map((p) => `tried: ${p}`),
    ],
  })
}

function checked(address: string, by: string): string {
  if (address.startsWith('/')) return `unix://${address}`
  if (/^unix:\/./.test(address)) return address.replace(/^unix:\/(?!\/)/, 'unix:///')
  if (/^(?:tcp|ssh):\/\//.test(address) && URL.canParse(address)) {
    const { hostname, password } = new URL(address)
    if (password !== '') throw withPassword(by)
    if (hostname !== '' && !hostname.startsWith('-')) return address
  }
  throw new Problem({
    type: 'configuration',
    code: 'usage',
    message: `${by}: ${address} is not an address of Podman`,
    suggestion:
      'write unix:///path/to/podman.sock, /path/to/podman.sock, tcp://host:port or ssh://user@host/run/podman/podman.sock',
  })
}

function withPassword(by: string): Problem {
  return new Problem({
    type: 'configuration',
    code: 'usage',
    message: `${by}: a password in an address is not used`,
    suggestion: 'use a key: ssh-copy-id USER@HOST, then leave the password out',
  })
}
