/** The demo's second half: the service follows a Git repository with a stack, a chart and a kustomization, keeps a fleet, and picks a commit up. */
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { busybox, exampleImage } from '../test/testbed/image.ts'
import { freePort, isFree } from '../test/testbed/port.ts'
import { buildDashboard } from '../web/build.ts'
import { clustersDown, clustersUp, type Clusters } from './clusters.ts'
import { dockerIfAny } from './docker.ts'

export type Surroundings = {
  /** The demo's TEND_HOME. */
  readonly home: string
  /** Podman's. */
  readonly socket: string
}

type Ports = { readonly api: number; readonly page: number; readonly hello: number }

export async function serviceUp(around: Surroundings, hasClusters: boolean): Promise<void> {
  const repository = repositoryOf(around)
  const isFirst = !existsSync(repository)
  const clusters = hasClusters ? clustersUp(around.home, await environmentOf(around)) : undefined
  console.log(`\nThe service: Git to running applications\n`)
  if (isFirst) makeRepository(repository)
  const ports = await portsOf(around)
  const token = tokenOf(around)
  declare(around, ports, clusters)
  if (!isRunning(around)) await start(around, ports, clusters)
  await synced(around, git(repository, 'rev-parse', 'HEAD'))
  tell(await environmentOf(around), 'get', 'apps')
  const page = `http://127.0.0.1:${ports.page}/`
  console.log(`\nWhat ${page} says:\n\n  ${await textOf(page)}\n`)
  if (isFirst) await change(around, repository, page)
  console.log(`The dashboard:  http://127.0.0.1:${ports.api}/   (it asks for the token)`)
  console.log(`The log:        ${join(around.home, 'service.log')}`)
  console.log(`Its token:      ${token}   (your own verbs find theirs)`)
  console.log(
    `Ask it:         curl -H "Authorization: Bearer ${token}" http://127.0.0.1:${ports.api}/api/v1/apps`,
  )
  console.log(`Its repository: ${repository}   (commit there, and watch tend get apps)\n`)
}

async function change(around: Surroundings, repository: string, page: string): Promise<void> {
  const file = join(repository, 'page/compose.yaml')
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace('Hello from a stack', 'Hello from a commit'),
  )
  console.log(`$ git commit -am 'Another greeting'\n`)
  git(repository, 'commit', '-qam', 'Another greeting')
  await synced(around, git(repository, 'rev-parse', 'HEAD'))
  tell(await environmentOf(around), 'get', 'runs', 'page')
  console.log(`\nNobody was told. What ${page} says now:\n\n  ${await textOf(page)}\n`)
}

/** Ends the service, then removes what it made. */
export async function serviceDown(around: Surroundings): Promise<void> {
  if (!existsSync(join(around.home, 'tend.yaml'))) return
  const pid = pidOf(around)
  if (pid !== undefined) {
    process.kill(pid, 'SIGTERM')
    for (let waited = 0; isRunning(around) && waited < 60_000; waited += 50) await sleep(50)
    console.log('The service is stopped.')
  }
  const environment = await environmentOf(around)
  tell(environment, 'compose', 'down', '-p', 'page', '--volumes', '--yes')
  tell(environment, 'uninstall', 'hello', '-n', 'service', '--prune-volumes', '--yes')
  clustersDown(around.home, environment)
}

function repositoryOf({ home }: Surroundings): string {
  return join(home, 'repository')
}

/** Docker where one answers, else Podman in Docker's words. */
async function environmentOf({ home, socket }: Surroundings): Promise<NodeJS.ProcessEnv> {
  const docker = await dockerIfAny()
  const podman = `unix://${socket}`
  return {
    ...process.env,
    TEND_HOME: home,
    CONTAINER_HOST: podman,
    DOCKER_HOST: docker ?? podman,
    TEND_TOKEN_FILE: undefined,
    TEND_SERVER: undefined,
  }
}

function makeRepository(folder: string): void {
  mkdirSync(join(folder, 'page'), { recursive: true })
  cpSync('examples/stack/compose.yaml', join(folder, 'page/compose.yaml'))
  cpSync('examples/hello', join(folder, 'hello'), { recursive: true })
  cpSync('examples/kustomization', join(folder, 'web'), { recursive: true })
  for (const file of ['page/compose.yaml', 'hello/values.yaml']) {
    const path = join(folder, file)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(exampleImage, busybox))
  }
  git(folder, 'init', '-q', '-b', 'main')
  git(folder, 'add', '-A')
  git(folder, 'commit', '-qm', 'A page, a chart and a kustomization')
}

function git(folder: string, ...words: readonly string[]): string {
  const who = [
    '-c',
    'user.name=Demo',
    '-c',
    'user.email=demo@example.org',
    '-c',
    'commit.gpgsign=false',
  ]
  const { status, stdout, stderr } = spawnSync('git', [...who, ...words], {
    cwd: folder,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`git ${words[0]} failed: ${stderr}`)
  return stdout.trim()
}

/** The same ones each time. */
async function portsOf({ home }: Surroundings): Promise<Ports> {
  const file = join(home, 'ports.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  const pick = async (usual: number): Promise<number> =>
    (await isFree(usual)) ? usual : freePort()
  const ports = { api: await pick(8090), page: await pick(8091), hello: await pick(8092) }
  writeFileSync(file, JSON.stringify(ports))
  return ports
}

function tokenOf({ home }: Surroundings): string {
  const file = join(home, 'token')
  if (!existsSync(file))
    writeFileSync(file, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 })
  return readFileSync(file, 'utf8').trim()
}

/** examples/service/tend.yaml, with the ports that are free here, and what the clusters are for. */
function declare(
  { home }: Surroundings,
  { api, page, hello }: Ports,
  clusters: Clusters | undefined,
): void {
  const text = readFileSync('examples/service/tend.yaml', 'utf8')
    .replace('8090', String(api))
    .replace('8091', String(page))
    .replace('8092', String(hello))
  const more = '  - kustomization: web\n    path: web\nfleets:\n  - fleet: fleet\n'
  writeFileSync(join(home, 'tend.yaml'), clusters === undefined ? text : `${text}${more}`)
}

async function start(
  around: Surroundings,
  { api }: Ports,
  clusters: Clusters | undefined,
): Promise<void> {
  const { home } = around
  await buildDashboard('web/dist')
  const environment = {
    ...(await environmentOf(around)),
    TEND_TOKEN_FILE: join(home, 'token'),
    ...(clusters === undefined ? {} : { KUBECONFIG: clusters.kubeconfig }),
  }
  const words = ['serve', ...(clusters === undefined ? [] : ['--kube'])]
  words.push('-c', join(home, 'tend.yaml'))
  console.log(`$ tend ${words.join(' ')} &\n`)
  const log = openSync(join(home, 'service.log'), 'a')
  const child = spawn('bin/tend', words, {
    env: environment,
    detached: true,
    stdio: ['ignore', log, log],
  })
  child.unref()
  for (let waited = 0; waited < 30_000; waited += 100) {
    if (child.exitCode !== null) break
    if ((await fetch(`http://127.0.0.1:${api}/healthz`).catch(() => undefined))?.ok === true) return
    await sleep(100)
  }
  throw new Error(`the service did not start: ${readFileSync(join(home, 'service.log'), 'utf8')}`)
}

/** Until everything runs as this commit declares it, but for what somebody suspended. */
async function synced(around: Surroundings, revision: string): Promise<void> {
  const environment = await environmentOf(around)
  for (let tries = 0; tries < 120; tries += 1) {
    const apps = appsIn(said(environment, 'get', 'apps', '-o', 'json'))
    const isSo = apps.every(
      ({ key, state, desired }) =>
        state === 'suspended' ||
        (state === 'synced' && (key.startsWith('fleet:') || desired?.revision === revision)),
    )
    if (isSo && apps.length > 0) return
    await sleep(500)
  }
  tell(environment, 'get', 'apps')
  throw new Error(`the applications are not synced; ${join(around.home, 'service.log')} tells more`)
}

type App = {
  readonly key: string
  readonly state: string
  readonly desired?: { readonly revision: string }
}

function appsIn(text: string): readonly App[] {
  const { apps }: { readonly apps: readonly App[] } = JSON.parse(text)
  return apps
}

function said(env: NodeJS.ProcessEnv, ...words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('bin/tend', words, { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`tend ${words.join(' ')}: ${stderr}`)
  return stdout
}

function tell(env: NodeJS.ProcessEnv, ...words: readonly string[]): void {
  console.log(`$ tend ${words.join(' ')}\n`)
  spawnSync('bin/tend', words, { env, stdio: 'inherit' })
}

function pidOf({ home }: Surroundings): number | undefined {
  try {
    const { pid }: { readonly pid: number } = JSON.parse(
      readFileSync(join(home, 'service.json'), 'utf8'),
    )
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('serve') ? pid : undefined
  } catch {
    return undefined
  }
}

function isRunning(around: Surroundings): boolean {
  return pidOf(around) !== undefined
}

async function textOf(page: string): Promise<string> {
  for (let tries = 0; ; tries += 1) {
    try {
      return (await (await fetch(page)).text()).trim()
    } catch (error) {
      if (tries === 20) throw error
      await sleep(250)
    }
  }
}
