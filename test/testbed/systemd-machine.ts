/** A Debian 12 that a real systemd runs, in namespaces of its own: a machine with units, without a machine. Only root can start one. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { debianTar, type Said } from './debian-root.ts'

export type SystemdMachine = {
  readonly folder: string
  run(line: string): Said
  stop(): Promise<void>
}

/**
 * Its groups of processes lie below one of ours, so that it touches none of this machine's. Units with devices of their own
 * (PrivateDevices) do not start where there is no ptmx.
 */
const boot = `set -e
root=$1 groups=$2
mount --make-rprivate /
mount -t cgroup2 cgroup2 "$groups"
mkdir -p "$groups/$3"
echo $$ > "$groups/$3/cgroup.procs"
exec unshare --cgroup --pid --uts --ipc --fork --kill-child sh -ec '
mount --bind "$1" "$1"
mount -t proc proc "$1/proc"
mount -t sysfs -o ro sysfs "$1/sys"
mount -t tmpfs tmpfs "$1/sys/fs/cgroup"
mount -t cgroup2 cgroup2 "$1/sys/fs/cgroup"
mount -t tmpfs -o mode=755 tmpfs "$1/run"
mount -t tmpfs -o mode=755 tmpfs "$1/dev"
for name in null zero full random urandom tty; do touch "$1/dev/$name"; mount --bind "/dev/$name" "$1/dev/$name"; done
mkdir "$1/dev/shm" "$1/dev/pts"; mount -t devpts devpts "$1/dev/pts"
ln -s /proc/self/fd "$1/dev/fd"
ln -s pts/ptmx "$1/dev/ptmx"
exec chroot "$1" env -i container=podman PATH=/usr/sbin:/usr/bin /lib/systemd/systemd' sh "$root"
`

export async function startSystemdMachine(): Promise<SystemdMachine> {
  const scratch = mkdtempSync(join(tmpdir(), 'tend-systemd-'))
  const [folder, groups] = [join(scratch, 'root'), join(scratch, 'groups')]
  for (const one of [folder, groups]) mkdirSync(one)
  execFileSync('tar', ['-C', folder, '-xf', debianTar(['systemd', 'systemd-sysv', 'dbus'])])
  const name = `tend-systemd-${process.pid}`
  const words = ['--mount', 'sh', '-c', boot, 'sh', folder, groups, name]
  const child = spawn('unshare', words, { stdio: 'ignore' })
  const ended = new Promise((done) => child.once('exit', done))

  /** The one whose parent is the process that we started. */
  function first(): string | undefined {
    const children = `/proc/${child.pid}/task/${child.pid}/children`
    try {
      const [found] = readFileSync(children, 'utf8').trim().split(' ')
      return found === '' ? undefined : found
    } catch {
      return undefined
    }
  }
  function run(line: string): Said {
    const inside = ['--target', first() ?? '', '--mount', '--pid', '--uts', '--ipc', '--cgroup']
    const path = 'PATH=/usr/sbin:/usr/bin:/sbin:/bin'
    const shell = ['env', '-i', path, 'HOME=/root', 'DEBIAN_FRONTEND=noninteractive', 'sh', '-ec']
    const all = [...inside, 'chroot', folder, ...shell, line]
    const { status, stdout, stderr } = spawnSync('nsenter', all, { encoding: 'utf8' })
    return { status, out: stdout, err: stderr }
  }
  async function stop(): Promise<void> {
    child.kill('SIGKILL')
    await ended
    removeGroups(scratch, name)
    rmSync(scratch, { recursive: true, maxRetries: 10, retryDelay: 100 })
  }

  for (let waited = 0; waited < 60_000; waited += 200) {
    const isUp = /running|degraded/.test(run('systemctl is-system-running').out)
    if (isUp) return { folder, run, stop }
    await sleep(200)
  }
  const { out, err } = run('systemctl --no-pager list-jobs')
  await stop()
  throw new Error(`systemd did not come up: ${out}${err}`)
}

/** The groups themselves stay until somebody removes them, innermost first. */
function removeGroups(scratch: string, name: string): void {
  const place = join(scratch, 'groups')
  const script = 'mount -t cgroup2 cgroup2 "$1" && find "$1/$2" -depth -type d -exec rmdir {} +'
  const file = join(scratch, 'remove')
  writeFileSync(file, script)
  spawnSync('unshare', ['--mount', 'sh', file, place, name])
}
