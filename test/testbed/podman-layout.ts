/** The files of a scratch Podman: settings, helper programs, and a command that finds them. */
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { whereIs } from './packages.ts'
import { chainSuffix, linkPrefix, subnetBase, type Scratch } from './scratch.ts'

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
 * Services with folders of their own still share the host's interfaces and firewall: all of them call their first bridge
 * podman1, and a chain goes by the name of its network. Netavark and what it calls are told other names here: Podman never knows.
 */
function addHelpers(root: string, number: number): void {
  for (const name of ['aardvark-dns', 'rootlessport', 'catatonit']) {
    const found = helperIn(name)
    if (found !== undefined) symlinkSync(found, join(root, 'helpers', name))
  }
  const from = '"network_interface":"podman\\([0-9]*\\)"'
  const bridge = `s/${from}/"network_interface":"${linkPrefix(number)}\\1"/g`
  const call = `flock -o /run/lock/tend-testbed-netavark ${helperIn('netavark') ?? 'netavark'} "$@"`
  const path = `PATH=${join(root, 'helpers', 'firewall')}:$PATH`
  writeProgram(
    join(root, 'helpers', 'netavark'),
    `#!/bin/sh\n${path}\nsed -e '${bridge}' | ${call}\n`,
  )
  mkdirSync(join(root, 'helpers', 'firewall'))
  for (const name of ['iptables', 'ip6tables']) {
    const program = whereIs(name) ?? name
    writeProgram(
      join(root, 'helpers', 'firewall', name),
      firewallText(program, chainSuffix(number)),
    )
  }
}

/**
 * Chains of networks get a suffix, which listings lose again; chains for all are the same for all. Chains without our suffix are not
 * listed: a Podman that restarts a container by itself makes one beside these helpers, and ours would take it for its own.
 */
function firewallText(program: string, suffix: string): string {
  return `#!/bin/sh
lists=
for word in "$@"; do
  shift
  case $word in
    -S | -L | --list*) lists=1 ;;
    NETAVARK-HOSTPORT-*) ;;
    NETAVARK-*) word="$word"${suffix} ;;
  esac
  set -- "$@" "$word"
done
[ -z "$lists" ] && exec ${program} "$@"
${program} "$@" > "$0.$$"
status=$?
sed -e 's/\\(NETAVARK-[-0-9A-Z]*\\)${suffix}/\\1@/g' -e '/NETAVARK-\\(DN-\\)\\{0,1\\}[0-9A-F]\\{13\\}\\($\\|[^@0-9A-F]\\)/d' -e 's/\\(NETAVARK-[-0-9A-Z]*\\)@/\\1/g' "$0.$$"
rm -f "$0.$$"
exit $status
`
}

function helperIn(name: string): string | undefined {
  return helperFolders.map((folder) => join(folder, name)).find((path) => existsSync(path))
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
  return `#!/bin/sh\nunset CONTAINER_HOST CONTAINER_CONNECTION\nexport ${variables.join(' ')}\nexec ${enter}podman ${layout.arguments.join(' ')} "$@"\n`
}

function writeProgram(path: string, text: string): void {
  writeFileSync(path, text)
  chmodSync(path, 0o755)
}
