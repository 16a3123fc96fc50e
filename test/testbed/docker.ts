/** A Docker daemon of its own in a scratch folder: several live side by side, and nothing is left of one that was stopped. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sweepDocker, takeDockerScratch, type DockerScratch } from './docker-scratch.ts'
import { busybox, busyboxTar } from './image.ts'
import { required } from './packages.ts'

export type TestDocker = {
  readonly socket: string
  /** The scratch folder. */
  readonly root: string
  /** Puts an image there, as `addImage` does for Podman; gives back its id. */
  addImage(name?: string, mark?: string): Promise<string>
  /** Puts a whole file system there as an image. */
  importImage(tar: string, name: string, changes: readonly string[]): Promise<string>
  /** Tags the image as `REGISTRY/name` and pushes it there. */
  push(
    registry: { readonly host: string; readonly auth: string },
    image: string,
    name: string,
  ): Promise<void>
  /** Ends the daemon as its user would and starts it again: what it ran is stopped, or comes back by its restart policy. */
  restart(): Promise<void>
  /** The first half of a restart, and the second. */
  halt(): Promise<void>
  resume(): Promise<void>
  stop(): Promise<void>
}

export type TestDockerOptions = {
  /** Registries (host:port) that speak plain HTTP; those on loopback need no mention. */
  readonly plainRegistries?: readonly string[]
  /** Containers may be privileged, also where root itself lacks a capability. */
  readonly isPrivilegedAllowed?: boolean
  /** Also listens here, for those who hold a certificate. */
  readonly tls?: {
    readonly port: number
    readonly ca: string
    readonly cert: string
    readonly key: string
  }
}

/** As `required`, for it takes root, too: a bridge and a mount namespace. In CI its lack is a failure. */
export function requiredDocker(): false | string {
  if (process.getuid?.() === 0) return required('dockerd')
  const missing = 'a Docker daemon of its own takes root'
  if (process.env['CI'] === 'true') throw new Error(missing)
  console.error(`SKIPPED: ${missing}`)
  return missing
}

export async function startDocker(options: TestDockerOptions = {}): Promise<TestDocker> {
  const scratch = takeDockerScratch()
  const socket = join(scratch.path, 'docker.sock')
  const log = () => readFileSync(join(scratch.path, 'log'), 'utf8')
  addBridge(scratch.bridge, `${scratch.subnet}.255.1/24`)
  let daemon = startDaemon(scratch, socket, options)
  await answers(socket, () => daemon.exitCode !== null, log)
  async function halt(): Promise<void> {
    daemon.kill('SIGTERM')
    for (let waited = 0; daemon.exitCode === null && waited < 20_000; waited += 10) await sleep(10)
  }
  async function resume(): Promise<void> {
    daemon = startDaemon(scratch, socket, options)
    await answers(socket, () => daemon.exitCode !== null, log)
  }
  async function restart(): Promise<void> {
    await halt()
    await resume()
  }
  async function stop(): Promise<void> {
    await clear(socket)
    sweepDocker(scratch.path)
  }
  function addImage(name: string = busybox, mark = ''): Promise<string> {
    const changes = ['CMD ["sh"]', 'ENV IMAGE_VARIABLE=from-image', `LABEL mark=${mark}`]
    return importImage(busyboxTar(mark), name, changes)
  }
  async function importImage(
    tar: string,
    name: string,
    changes: readonly string[],
  ): Promise<string> {
    const [repository, tag] = split(name)
    const query = new URLSearchParams([
      ['fromSrc', '-'],
      ['repo', repository],
      ['tag', tag],
      ...changes.map((change): [string, string] => ['changes', change]),
    ])
    const path = `/images/create?${query.toString()}`
    const { text } = await ask(socket, 'POST', path, readFileSync(tar))
    const id = /"status":"(sha256:[0-9a-f]{64})"/.exec(text)?.[1]
    if (id === undefined) throw new Error(`the image could not be imported: ${text}`)
    return id
  }
  async function push(
    registry: { readonly host: string; readonly auth: string },
    image: string,
    name: string,
  ): Promise<void> {
    const [repository, tag] = split(name)
    const place = `repo=${registry.host}/${repository}&tag=${tag}`
    await ask(socket, 'POST', `/images/${encodeURIComponent(image)}/tag?${place}`)
    const path = `/images/${encodeURIComponent(`${registry.host}/${repository}`)}/push?tag=${tag}`
    const { text } = await ask(socket, 'POST', path, undefined, {
      'X-Registry-Auth': registry.auth,
    })
    if (text.includes('"error"')) throw new Error(text)
  }
  const made = { socket, root: scratch.path }
  return { ...made, addImage, importImage, push, restart, halt, resume, stop }
}

/**
 * In a mount namespace of its own, with a bridge of its own, and no firewall rules: a second daemon would begin by clearing
 * the first one's. Ports are published by Docker's proxy, which needs none.
 */
function startDaemon(
  scratch: DockerScratch,
  socket: string,
  options: TestDockerOptions,
): ReturnType<typeof spawn> {
  const { path, bridge, subnet } = scratch
  mkdirSync(join(path, 'exec'), { recursive: true })
  writeFileSync(join(path, 'daemon.json'), '{}')
  const words = [
    ['--config-file', join(path, 'daemon.json')],
    ['--data-root', join(path, 'data')],
    ['--exec-root', join(path, 'exec')],
    ['--pidfile', join(path, 'pid')],
    ['--host', `unix://${socket}`],
    ['--containerd-namespace', 'tend'],
    ['--containerd-plugins-namespace', 'tend-plugins'],
    ['--cgroup-parent', `/${basename(path)}`],
    ['--bridge', bridge],
    ['--default-address-pool', `base=${subnet}.0.0/17,size=24`],
    ['--log-level', 'warn'],
    ['--iptables=false', '--ip6tables=false', '--ip-masq=false', '--ip-forward=false'],
    ...(options.plainRegistries ?? []).map((host) => ['--insecure-registry', host]),
    ...(options.tls === undefined ? [] : [tlsWords(options.tls)]),
    ...(options.isPrivilegedAllowed === true ? [runtimeWords(path)] : []),
  ].flat()
  const output = openSync(join(path, 'log'), 'a')
  const call = ['-m', '--propagation', 'private', 'dockerd', ...words]
  const daemon = spawn('unshare', call, { stdio: ['ignore', output, output] })
  daemon.unref()
  return daemon
}

/** A runtime that leaves out the one capability that the test machines' root lacks, and so can't give. */
function runtimeWords(path: string): readonly string[] {
  const program = join(path, 'runc-without')
  const name = '"CAP_SYS_RESOURCE"'
  const text = `#!/bin/sh
for word; do
  case $last in
    --bundle | -b) file=$word/config.json ;;
    --process | -p) file=$word ;;
  esac
  last=$word
done
test -z "$file" || sed -i 's/${name},//g; s/,${name}//g; s/${name}//g' "$file"
exec runc "$@"
`
  writeFileSync(program, text, { mode: 0o755 })
  return ['--add-runtime', `without=${program}`, '--default-runtime', 'without']
}

function tlsWords(tls: NonNullable<TestDockerOptions['tls']>): readonly string[] {
  const files = ['--tlscacert', tls.ca, '--tlscert', tls.cert, '--tlskey', tls.key]
  return ['--host', `tcp://127.0.0.1:${tls.port}`, '--tlsverify', ...files]
}

function addBridge(name: string, address: string): void {
  for (const words of [
    ['link', 'add', name, 'type', 'bridge'],
    ['address', 'add', address, 'dev', name],
    ['link', 'set', name, 'up'],
  ]) {
    const { status, stderr } = spawnSync('ip', words, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`no bridge could be made for Docker: ${stderr}`)
  }
}

async function answers(socket: string, hasEnded: () => boolean, log: () => string): Promise<void> {
  for (let waited = 0; waited < 30_000 && !hasEnded(); waited += 25) {
    if ((await ask(socket, 'GET', '/_ping').catch(() => undefined))?.status === 200) return
    await sleep(25)
  }
  throw new Error(`dockerd did not start:\n${log()}`)
}

/** Containers and networks go in order, so that no cgroup, interface or proxy is left. */
async function clear(socket: string): Promise<void> {
  try {
    const all = encodeURIComponent('{"type":["custom"]}')
    for (const id of await idsOf(socket, '/containers/json?all=1')) {
      await ask(socket, 'DELETE', `/containers/${id}?force=1&v=1`)
    }
    for (const id of await idsOf(socket, `/networks?filters=${all}`)) {
      await ask(socket, 'DELETE', `/networks/${id}`)
    }
  } catch {
    // the daemon is gone already: the sweep takes the rest
  }
}

async function idsOf(socket: string, path: string): Promise<readonly string[]> {
  const found: unknown = JSON.parse((await ask(socket, 'GET', path)).text)
  return Array.isArray(found) ? found.map((item) => String(item.Id)) : []
}

function split(name: string): readonly [string, string] {
  const at = name.lastIndexOf(':')
  return at > name.lastIndexOf('/') ? [name.slice(0, at), name.slice(at + 1)] : [name, 'latest']
}

function ask(
  socketPath: string,
  method: string,
  path: string,
  body?: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const sent = {
      ...headers,
      ...(body === undefined ? {} : { 'Content-Type': 'application/x-tar' }),
    }
    const call = request({ socketPath, method, path, headers: sent }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => (text += part))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      response.on('error', reject)
    })
    call.on('error', reject)
    call.end(body)
  })
}
