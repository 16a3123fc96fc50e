/** Sees to it that what the tests and the demo need of Debian is there: installs it with root, says the one line without. */
import { spawn, spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/** A program and the Debian packages that bring it and what it needs. */
const packages = {
  podman: 'podman runc netavark aardvark-dns catatonit iptables busybox-static',
  newuidmap: 'uidmap slirp4netns',
  dockerd: 'docker.io iptables iproute2 busybox-static',
  sshd: 'openssh-server openssh-client',
  git: 'git',
  openssl: 'openssl',
  'docker-registry': 'docker-registry',
  'podman-compose': 'podman-compose',
  'systemd-analyze': 'systemd',
  haproxy: 'haproxy',
  pg_ctlcluster: 'postgresql',
  etcd: 'etcd-server',
  mmdebstrap: 'mmdebstrap',
  promtool: 'prometheus',
  'chromium-headless-shell': 'chromium-headless-shell fonts-dejavu-core',
  'qemu-aarch64-static': 'qemu-user-static libc6-arm64-cross libstdc++6-arm64-cross',
} as const

export type Program = keyof typeof packages

/** Other programs that a package brings, where the first being there does not say that all are. */
const parts: Partial<Record<Program, readonly string[]>> = {
  newuidmap: ['slirp4netns'],
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
  const { status, stderr, error } = spawnSync('flock', installWords(names), {
    env: quietly(),
    stdio: 'pipe',
    encoding: 'utf8',
  })
  if (status === 0 && isThere(program)) return true
  say(`missing: ${program}. apt-get install ${names.join(' ')} failed:\n${error ?? stderr}`)
  return false
}

/** Installs together what is missing of these, if that can be done here; whoever needs what is then still missing says so. */
export async function provideTogether(programs: readonly Program[]): Promise<void> {
  const names = programs.filter((one) => !isThere(one)).flatMap((one) => packages[one].split(' '))
  if (!isRoot || names.length === 0) return
  const options = { env: quietly(), stdio: 'ignore' } as const
  const child = spawn('flock', installWords([...new Set(names)]), options)
  await new Promise<void>((resolve) => {
    child.on('error', () => resolve())
    child.on('close', () => resolve())
  })
}

/** One at a time, for apt-get fails where another one is at work; the lists are fetched anew only if the old ones do not do. */
function installWords(names: readonly string[]): readonly string[] {
  const install = 'apt-get install -y --no-install-recommends "$@"'
  const script = `${install} || { apt-get update && ${install}; }`
  return [join(tmpdir(), 'tend-apt.lock'), 'sh', '-c', script, 'sh', ...names]
}

function quietly(): NodeJS.ProcessEnv {
  return { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
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

export function isProgram(name: string): name is Program {
  return Object.hasOwn(packages, name)
}

export function isThere(program: Program): boolean {
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
