/** The files of a scratch Podman: settings, helper programs, and a command that finds them. */
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { linkPrefix, networkPrefix, subnetBase, type Scratch } from './scratch.ts'

export type Layout = {
  readonly root: string
  readonly socket: string
  readonly command: string
  /** A folder that only the service names in its arguments: it tells it from the conmons. */
  readonly marker: string
  readonly environment: Readonly<Record<string, string>>
  /** Global arguments of every podman call. */
  readonly arguments: readonly string[]
  /** With root it lives in a mount namespace of its own, held open by an anchor process. */
  readonly hasNamespace: boolean
}

export function layOut(scratch: Scratch, plainRegistries: readonly string[]): Layout {
  const root = scratch.path
  const hasNamespace = process.getuid?.() === 0
  for (const folder of ['root', 'run', 'tmp', 'networks', 'helpers', 'bin', 'service']) {
    mkdirSync(join(root, folder))
  }
  writeFileSync(join(root, 'containers.conf'), settings(root, scratch.number, hasNamespace))
  writeFileSync(join(root, 'registries.conf'), registries(plainRegistries))
  if (hasNamespace) addHelpers(root, scratch.number)
  const environment = {
    CONTAINERS_CONF: join(root, 'containers.conf'),
    CONTAINERS_REGISTRIES_CONF: join(root, 'registries.conf'),
  }
  const global = [
    ['--root', 'root'],
    ['--runroot', 'run'],
    ['--tmpdir', 'tmp'],
    ['--network-config-dir', 'networks'],
  ].flatMap(([flag, folder]) => [flag!, join(root, folder!)])
  const layout = {
    root,
    socket: join(root, 'podman.sock'),
    command: join(root, 'bin', 'podman'),
    marker: join(root, 'service'),
    environment,
    arguments: global,
    hasNamespace,
  }
  writeProgram(layout.command, commandText(layout))
  return layout
}

/** Soft and hard limits are equal and low: a root without CAP_SYS_RESOURCE can't raise them, and 4.3.1 swaps unequal ones. */
function settings(root: string, number: number, hasHelpers: boolean): string {
  const base = subnetBase(number)
  return `[containers]
default_ulimits=["nofile=4096:4096","nproc=4096:4096"]
[engine]
runtime="runc"
cgroup_manager="cgroupfs"
events_logger="file"
${hasHelpers ? `helper_binaries_dir=["${join(root, 'helpers')}"]` : ''}
[network]
network_backend="netavark"
default_subnet="${base}.255.0/24"
default_subnet_pools=[{base="${base}.0.0/17",size=24}]
`
}

function registries(plain: readonly string[]): string {
  return plain.map((host) => `[[registry]]\nlocation="${host}"\ninsecure=true\n`).join('')
}

/**
 * Services with folders of their own still share the host's interfaces and firewall chains, and all of them call their first
 * bridge podman1. Netavark is told other names here: Podman never knows.
 */
function addHelpers(root: string, number: number): void {
  for (const name of ['aardvark-dns', 'rootlessport', 'catatonit']) {
    const found = helperFolders.map((folder) => join(folder, name)).find((path) => existsSync(path))
    if (found !== undefined) symlinkSync(found, join(root, 'helpers', name))
  }
  const netavark = helperFolders
    .map((folder) => join(folder, 'netavark'))
    .find((p) => existsSync(p))
  const bridge = `s/"network_interface":"podman\\([0-9]*\\)"/"network_interface":"${linkPrefix(number)}\\1"/g`
  const name = `s/{"name":"\\([^"]*\\)","id":"/{"name":"${networkPrefix(number)}\\1","id":"/g`
  const call = `flock -o /run/lock/tend-testbed-netavark ${netavark ?? 'netavark'} "$@"`
  writeProgram(
    join(root, 'helpers', 'netavark'),
    `#!/bin/sh\nsed -e '${bridge}' -e '${name}' | ${call}\n`,
  )
}

const helperFolders = [
  '/usr/lib/podman',
  '/usr/libexec/podman',
  '/usr/local/lib/podman',
  '/usr/bin',
]

function commandText(layout: Layout): string {
  const variables = Object.entries(layout.environment).map(([name, value]) => `${name}=${value}`)
  const enter = layout.hasNamespace ? `nsenter -m -t "$(cat ${layout.root}/anchor.pid)" -- ` : ''
  return `#!/bin/sh\nexport ${variables.join(' ')}\nexec ${enter}podman ${layout.arguments.join(' ')} "$@"\n`
}

function writeProgram(path: string, text: string): void {
  writeFileSync(path, text)
  chmodSync(path, 0o755)
}
