/** What the numbers of the service are measured on: the release as a process of its own, a real Docker, a real repository. */
import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { dockerAt, type Docker } from '#clients/docker/client.ts'
import type { AppStatus } from '#model/service.ts'
import { startDocker } from '../../test/testbed/docker.ts'
import { startGitHttp } from '../../test/testbed/git-http.ts'
import { gitBench, type Bench } from '../../test/testbed/git.ts'
import { busybox } from '../../test/testbed/image.ts'
import { freePort } from '../../test/testbed/port.ts'
import { startProxy, type Proxy } from '../../test/testbed/proxy.ts'

export const running = 200
export const all = 1000
export const secret = 'the-secret-of-this-benchmark'

export type World = {
  readonly git: Bench
  /** Where it is asked: over http. */
  readonly repository: string
  readonly docker: Docker
  /** Between the service and Docker: it counts. */
  readonly proxy: Proxy
  readonly socket: string
  readonly url: string
  /** The programs that the service finds: git and sh, which take notes, and no other. */
  readonly path: string
  pid(): number
  /** Of these stacks; ends when everything was looked at once. */
  start(interval: string, count: number): Promise<void>
  stop(): Promise<void>
  apps(): Promise<readonly AppStatus[]>
  /** Until all of them are as declared. */
  settled(count: number): Promise<void>
  close(): Promise<void>
}

export async function openWorld(): Promise<World> {
  const engine = await startDocker()
  await engine.addImage()
  const docker = dockerAt({ address: `unix://${engine.socket}` })
  const proxy = await startProxy(engine.socket)
  const git = gitBench()
  const http = await startGitHttp({ folder: git.folder })
  const repository = `${http.origin}/infra.git`
  const folder = mkdtempSync(join(tmpdir(), 'tend-bench-service-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const path = join(git.folder, 'bin')
  // fetching needs a shell; that too is noted
  const shell = `#!/bin/sh\necho sh >> ${join(git.folder, 'notes')}\nexec /bin/sh "$@"\n`
  writeFileSync(join(path, 'sh'), shell, { mode: 0o755 })
  let child: ChildProcess | undefined
  git.commit(
    'all stacks',
    Object.fromEntries(numbers(all).map((n) => [fileOf(n), stackText(n, 0)])),
  )

  async function start(interval: string, count: number): Promise<void> {
    writeFileSync(join(folder, 'tend.yaml'), declared(repository, port, interval, count))
    const log = openSync(join(folder, 'log'), 'a')
    child = spawn('dist/tend', ['serve', '-c', join(folder, 'tend.yaml')], {
      env: {
        PATH: path,
        HOME: folder,
        TEND_HOME: join(folder, 'home'),
        DOCKER_HOST: `unix://${proxy.socket}`,
        HOOK: secret,
        TEND_NODE: process.execPath,
      },
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    await waited(120_000, 10, async () => {
      if (child?.exitCode !== null) throw new Error(readFileSync(join(folder, 'log'), 'utf8'))
      return (await fetch(`${url}/readyz`).catch(() => undefined))?.ok === true
    })
  }

  async function stop(): Promise<void> {
    const going = child
    if (going === undefined || going.exitCode !== null) return
    const ended = new Promise((done) => going.once('close', done))
    going.kill('SIGTERM')
    await ended
  }

  async function apps(): Promise<readonly AppStatus[]> {
    const token = readFileSync(join(folder, 'home', 'local-token'), 'utf8').trim()
    const headers = { authorization: `Bearer ${token}` }
    return JSON.parse(await (await fetch(`${url}/api/v1/apps`, { headers })).text())
  }

  async function settled(count: number): Promise<void> {
    await waited(900_000, 200, async () => {
      const known = await apps()
      const failed = known.find(({ state }) => state === 'failed')
      if (failed !== undefined) throw new Error(`${failed.key}: ${failed.reason}`)
      return known.filter(({ state }) => state === 'synced').length === count
    })
  }

  return {
    git,
    repository,
    docker,
    proxy,
    socket: engine.socket,
    url,
    path,
    pid: () => child?.pid ?? 0,
    start,
    stop,
    apps,
    settled,
    async close() {
      await stop()
      docker.close()
      await proxy.stop()
      await engine.stop()
      await http.stop()
      git.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export function fileOf(n: number): string {
  return `${nameOf(n)}/compose.yaml`
}

export function nameOf(n: number): string {
  return `bench-${n}`
}

/** The first have a container that runs; the others only a volume: a thousand processes would measure the machine. */
export function stackText(n: number, version: number): string {
  return `services:
  web:
    image: ${busybox}
    command: [/bin/sleep, "1000000"]
    network_mode: none
    stop_grace_period: 0s
    restart: "no"
    scale: ${n < running ? 1 : 0}
    environment: { STACK: "${n}", VERSION: "${version}" }
    volumes: ${n < running ? '[]' : '["data:/data"]'}
volumes: ${n < running ? '{}' : '{ data: {} }'}
`
}

function declared(repository: string, port: number, interval: string, count: number): string {
  const apps = numbers(count).map((n) => `  - { stack: ${nameOf(n)}, path: ${nameOf(n)} }`)
  return `listen: 127.0.0.1:${port}
concurrency: 8
sources: { bench: { git: "${repository}", ref: main } }
defaults: { interval: ${interval} }
hooks: [{ kind: github, secret: { variable: HOOK } }]
apps:
${apps.join('\n')}
`
}

export function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, n) => n)
}

export async function waited(
  longest: number,
  every: number,
  isSo: () => Promise<boolean>,
): Promise<void> {
  const began = performance.now()
  while (performance.now() - began < longest) {
    if (await isSo()) return
    await sleep(every)
  }
  throw new Error(`it did not happen within ${longest / 1000} s`)
}
