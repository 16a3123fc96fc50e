/** A Podman of a user without root. With root, that user exists in a mount namespace alone: no file of the machine is changed. */
import { spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  globSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, clearPodman } from './podman-clear.ts'
import { tendProgram } from './program.ts'
import { end, subnetBase, sweep, takeScratch } from './scratch.ts'
import type { Going, Told } from './tend.ts'

export type RootlessPodman = {
  /** Where a user's own is looked for. */
  readonly socket: string
  /** Runs Tend as the user, in the user's home, without a word about where Podman is. */
  readonly tend: (line: string) => Promise<Told>
  readonly start: (line: string) => Going
  /** Files below the home. */
  readonly write: (files: Readonly<Record<string, string>>) => void
  stop(): Promise<void>
}

const name = 'tend-rootless'
/** Users of the tests, each with as many others as a container may have. */
const [firstUser, firstSubordinate, subordinates] = [61_000, 20_000_000, 65_536]

export async function startRootlessPodman(): Promise<RootlessPodman> {
  const { path: root, number } = takeScratch(false)
  const user = firstUser + number
  const firstOwn = firstSubordinate + number * subordinates
  const [home, runtime] = [join(root, 'home'), join(root, 'runtime')]
  chmodSync(root, 0o755)
  for (const folder of [home, runtime, join(runtime, 'podman')]) {
    mkdirSync(folder, { mode: 0o700 })
    chownSync(folder, user, user)
  }
  writeFiles(root, home, user, firstOwn, number)
  const anchor = await holdNamespace(root)
  const socket = join(runtime, 'podman', 'podman.sock')
  const environment = {
    PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`,
    HOME: home,
    XDG_RUNTIME_DIR: runtime,
    CONTAINERS_CONF: join(root, 'containers.conf'),
    CONTAINERS_STORAGE_CONF: join(root, 'storage.conf'),
    NODE_COMPILE_CACHE: join(home, '.cache', 'node'),
  }
  const enter = ['-m', '-t', anchor, '--', 'setpriv', '--reuid', user, '--regid', user].map(String)
  const asUser = [...enter, '--clear-groups', '--inh-caps=-all', '--']

  function run(program: string, words: readonly string[], stdio: 'pipe' | number) {
    const streams = ['ignore', stdio, stdio] as const
    const options = { env: environment, stdio: [...streams] }
    // who enters a namespace is at its root
    const there = ['sh', '-c', 'cd "$0" && exec "$@"', home]
    return spawn('nsenter', [...asUser, ...there, program, ...words], options)
  }

  const log = join(root, 'log')
  run('podman', ['system', 'service', '-t', '0', `unix://${socket}`], openSync(log, 'a'))
  await answers(socket, log)

  function start(line: string): Going {
    const child = run(join(root, 'tend', programInside()), line.split(' '), 'pipe')
    const texts = { out: '', err: '' }
    child.stdout?.setEncoding('utf8').on('data', (part: string) => (texts.out += part))
    child.stderr?.setEncoding('utf8').on('data', (part: string) => (texts.err += part))
    const told = new Promise<Told>((done, fail) => {
      child.on('error', fail)
      child.on('close', (code) => done({ code, ...texts }))
    })
    return { child, told, out: () => texts.out, err: () => texts.err }
  }

  return {
    socket,
    start,
    tend: (line) => start(line).told,
    write(files) {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(home, path)), { recursive: true })
        writeFileSync(join(home, path), text)
      }
    },
    async stop() {
      await clearPodman(socket)
      while (processesOfUser(user, firstOwn).length > 0) {
        for (const pid of processesOfUser(user, firstOwn)) end(pid)
        await sleep(50)
      }
      end(anchor)
      await sleep(50)
      sweep(root)
    },
  }
}

/** Of what users, groups, devices and Tend itself are in the namespace. */
function writeFiles(root: string, home: string, user: number, firstOwn: number, number: number) {
  const base = subnetBase(number)
  const own = `${name}:${firstOwn}:${subordinates}\n`
  const texts = {
    passwd: `${readFileSync('/etc/passwd', 'utf8')}${name}:x:${user}:${user}::${home}:/bin/sh\n`,
    group: `${readFileSync('/etc/group', 'utf8')}${name}:x:${user}:\n`,
    subuid: own,
    subgid: own,
    'containers.conf': `[containers]
default_ulimits=["nofile=1024:1024"]
[engine]
runtime="runc"
cgroup_manager="cgroupfs"
events_logger="file"
[network]
network_backend="netavark"
default_subnet="${base}.255.0/24"
default_subnet_pools=[{base="${base}.0.0/17",size=24}]
`,
    'storage.conf': '[storage]\ndriver="vfs"\n',
  }
  for (const [file, text] of Object.entries(texts)) {
    writeFileSync(join(root, file), text, { mode: 0o644 })
  }
  for (const folder of ['tend', 'shm']) mkdirSync(join(root, folder))
}

/** Its process is the last to end: with it everything that is mounted there goes. */
async function holdNamespace(root: string): Promise<number> {
  const file = join(root, 'anchor')
  writeFileSync(file, '')
  const script = `set -e
for name in passwd group subuid subgid; do [ -e /etc/$name ] || : > /etc/$name; mount --bind ${root}/$name /etc/$name; done
mount --bind ${resolve('.')} ${root}/tend
mount -t tmpfs -o mode=1777 tend /dev/shm
mount -t tmpfs -o mode=755,dev tend ${root}/shm
mknod -m 666 ${root}/shm/tun c 10 200
mkdir -p /dev/net; [ -e /dev/net/tun ] || : > /dev/net/tun
mount --bind ${root}/shm/tun /dev/net/tun
echo $$ > ${file}.new; mv ${file}.new ${file}.pid; exec tail -f ${file}`
  const child = spawn('unshare', ['-m', '--propagation', 'private', 'sh', '-c', script], {
    stdio: ['ignore', 'ignore', openSync(join(root, 'log'), 'a')],
    detached: true,
  })
  child.unref()
  for (let waited = 0; waited < 5_000; waited += 10) {
    if (existsSync(`${file}.pid`)) return Number(readFileSync(`${file}.pid`, 'utf8'))
    await sleep(10)
  }
  throw new Error(`no namespace for a user:\n${readFileSync(join(root, 'log'), 'utf8')}`)
}

async function answers(socket: string, log: string): Promise<void> {
  for (let waited = 0; waited < 30_000; waited += 50) {
    if ((await ask(socket, 'GET', '/_ping').catch(() => undefined))?.status === 200) return
    await sleep(50)
  }
  throw new Error(`the rootless podman did not start:\n${readFileSync(log, 'utf8')}`)
}

/** Below the checkout, which is bound into the scratch folder: the folders above it may be closed to others. */
function programInside(): string {
  return resolve(tendProgram()).slice(resolve('.').length + 1)
}

/** Those of the user, and of whom it may be inside of containers. */
function processesOfUser(user: number, firstOwn: number): readonly number[] {
  return globSync('/proc/[0-9]*').flatMap((folder) => {
    const owner = statSync(folder, { throwIfNoEntry: false })?.uid ?? 0
    const isOwn = owner === user || (owner >= firstOwn && owner < firstOwn + subordinates)
    return isOwn ? [Number(folder.split('/')[2])] : []
  })
}
