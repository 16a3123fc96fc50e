/** Sees to it that what the tests and the demo need of Debian is there: installs it with root, says the one line without. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A program and the Debian packages that bring it and what it needs. */
const packages = {
  podman: 'podman runc netavark aardvark-dns catatonit iptables busybox-static',
  dockerd: 'docker.io iptables iproute2 busybox-static',
  sshd: 'openssh-server openssh-client',
  git: 'git',
  openssl: 'openssl',
  'docker-registry': 'docker-registry',
  'podman-compose': 'podman-compose',
  'systemd-analyze': 'systemd',
  haproxy: 'haproxy',
  etcd: 'etcd-server',
  mmdebstrap: 'mmdebstrap',
  'qemu-aarch64-static': 'qemu-user-static libc6-arm64-cross libstdc++6-arm64-cross',
} as const

export type Program = keyof typeof packages

/** Other programs that a package brings, where the first being there does not say that all are. */
const parts: Partial<Record<Program, readonly string[]>> = {
  podman: ['runc', 'busybox', 'iptables', 'catatonit'],
  dockerd: ['runc', 'busybox', 'containerd', 'ip'],
  sshd: ['ssh', 'ssh-keygen'],
}
/** What Podman needs besides, for a user without root. */
const rootless: Partial<Record<Program, { readonly names: string; readonly parts: string[] }>> = {
  podman: { names: 'uidmap slirp4netns fuse-overlayfs', parts: ['newuidmap', 'slirp4netns'] },
}
const isRoot = process.getuid?.() === 0
const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin']

/** Whether it is there by now; `say` gets the line to run when it is neither there nor to be had. */
export function provide(program: Program, say: (line: string) => void = console.error): boolean {
  if (isThere(program)) return true
  const names = packages[program].split(' ')
  if (!isRoot) {
    const all = [...names, ...(rootless[program]?.names.split(' ') ?? [])].join(' ')
    say(`missing: what ${program} needs. Run: sudo apt-get install -y ${all}`)
    return false
  }
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const install = ['install', '-y', '--no-install-recommends', ...names]
  const options = { env: environment, stdio: 'pipe', encoding: 'utf8' } as const
  if (spawnSync('apt-get', install, options).status === 0 && isThere(program)) return true
  spawnSync('apt-get', ['update'], options)
  const last = spawnSync('apt-get', install, options)
  if (last.status === 0 && isThere(program)) return true
  say(`missing: ${program}. apt-get ${install.join(' ')} failed:\n${last.stderr ?? last.error}`)
  return false
}

/**
 * For `test(name, { skip: required('podman') }, …)`: false when it is there, else why the test is skipped. In CI a missing
 * one is a failure.
 */
export function required(program: Program): false | string {
  const said: string[] = []
  if (provide(program, (line) => said.push(line))) return false
  if (process.env['CI'] === 'true') throw new Error(said.join('\n'))
  console.error(`SKIPPED for want of ${program}: ${said.join('\n')}`)
  return said.join('\n')
}

export function whereIs(program: string): string | undefined {
  return folders.map((folder) => join(folder, program)).find(isExecutable)
}

function isThere(program: Program): boolean {
  const more = isRoot ? [] : (rootless[program]?.parts ?? [])
  const all = [program, ...(parts[program] ?? []), ...more]
  return all.every((name) => whereIs(name) !== undefined)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
