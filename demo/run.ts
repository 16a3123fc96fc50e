/** `npm run demo`: from nothing to a chart that answers and a service that follows Git, in one command; `npm run demo -- --down` takes it all away again. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { podmanAt } from '#clients/podman/client.ts'
import { findSocket, surroundings } from '#clients/podman/socket.ts'
import { ping } from '#clients/podman/system.ts'
import { addImage, busybox } from '../test/testbed/image.ts'
import { provide } from '../test/testbed/packages.ts'
import { ask, clearPodman } from '../test/testbed/podman-clear.ts'
import { startPodman } from '../test/testbed/podman.ts'
import { freePort, isFree } from '../test/testbed/port.ts'
import { sweep } from '../test/testbed/scratch.ts'
import { dockerIfAny } from './docker.ts'
import { serviceDown, serviceUp } from './service.ts'

/** One for each checkout: the demo of one never takes that of another down. */
const checkout = createHash('sha256').update(process.cwd()).digest('hex').slice(0, 6)
const home = join(
  process.env['XDG_STATE_HOME'] ?? join(homedir(), '.local', 'state'),
  `tend-demo-${checkout}`,
)
const note = join(home, 'podman.json')
const usualPort = 8088
const demoNames: ReadonlySet<string> = new Set(['hello', 'page'])

type Service = { readonly socket: string; readonly root: string }

const known = new Set(['--down', '--yes', '--no-clusters'])
const unknown = process.argv.slice(2).find((word) => !known.has(word))
if (unknown !== undefined) {
  if (!isHelp(unknown)) console.log(`The demo does not know ${unknown}.\n`)
  console.log(
    'npm run demo             sets everything up, installs examples/hello, starts the service;',
  )
  console.log('                         --no-clusters: without the fleet and the kustomization')
  console.log('npm run demo -- --down   removes it all; --yes also while other charts run there')
  process.exit(isHelp(unknown) ? 0 : 2)
}
try {
  await (process.argv.includes('--down') ? down() : up())
} catch (thrown) {
  console.error(
    `The demo can't go on: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
  )
  process.exit(1)
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h'
}

async function up(): Promise<void> {
  if (!provide('podman') || !provide('git')) process.exit(1)
  const isFirst = !existsSync(home)
  const found = await answering()
  if (isFirst && found !== undefined) refuseForeign(found, await dockerIfAny())
  const socket = found ?? (await privatePodman())
  const { status } = await ask(socket, 'GET', `/images/${encodeURIComponent(busybox)}/exists`)
  if (status === 404) {
    console.log(`Making the image ${busybox} from the static busybox of this machine`)
    await addImage(socket)
  }
  const port = await chosenPort()
  const page = `http://127.0.0.1:${port}/`
  const values = ['--set', `image=${busybox}`]
  if (port !== usualPort) values.push('--set', `port=${port}`)
  const installed = tend(socket, 'install', './examples/hello', ...values)
  if (installed !== 0) process.exit(installed)
  console.log(`\nWhat ${page} says:\n\n  ${(await fetched(page)).trim()}\n`)
  const hasClusters = !process.argv.includes('--no-clusters')
  await serviceUp({ home, socket }, hasClusters)
  if (await ours()) {
    console.log('In this shell:  export PATH=$PWD/bin:$PATH')
    console.log(`                export CONTAINER_HOST=unix://${socket} TEND_HOME=${home}`)
  }
  console.log('Look around:    tend status hello; tend plan hello; tend history hello')
  console.log('The service:    tend get apps; tend get runs; tend diff page; tend suspend page')
  // the words of an upgrade stand in place of those of the run before
  console.log(`Change it:      tend upgrade hello ${values.join(' ')} --set greeting=Morning`)
  console.log('Take it down:   npm run demo -- --down')
}

/** What somebody else made under the demo's names would be changed, and `--down` would remove it with its data. */
function refuseForeign(socket: string, docker: string | undefined): void {
  const taken = namesAt(socket, docker).filter((name) => demoNames.has(name))
  if (taken.length === 0) return
  rmSync(home, { recursive: true, force: true })
  throw new Error(
    `${taken.join(' and ')} on this machine is not the demo's, and has the name that the demo uses. Nothing was touched.\n` +
      'Remove it first (tend uninstall, tend compose down), or let the demo start a Podman of its own: CONTAINER_HOST=/nowhere DOCKER_HOST=unix:///nowhere npm run demo',
  )
}

async function down(): Promise<void> {
  if (!existsSync(home)) {
    console.log('The demo of this checkout is not up: there is nothing to remove.')
    return
  }
  const own = await ours()
  const socket = own?.socket ?? (await answering())
  if (own !== undefined && !process.argv.includes('--yes')) {
    const others = otherCharts(own.socket)
    if (others.length > 0) {
      console.error(`These of yours run in the demo's Podman too: ${others.join(', ')}`)
      console.error('They would go with it, and their volumes: npm run demo -- --down --yes')
      process.exit(1)
    }
  }
  if (socket !== undefined) {
    await serviceDown({ home, socket })
    tend(socket, 'uninstall', 'hello', '--prune-volumes', '--yes')
    await ask(socket, 'DELETE', `/images/${encodeURIComponent(busybox)}`)
  }
  if (own !== undefined) {
    await clearPodman(own.socket)
    sweep(own.root)
    console.log('The private Podman service is stopped and its folder removed.')
  }
  rmSync(home, { recursive: true, force: true })
}

function otherCharts(socket: string): readonly string[] {
  return namesAt(socket).filter((name) => !demoNames.has(name))
}

/** Charts and stacks that Tend keeps there. */
function namesAt(socket: string, docker = `unix://${socket}`): readonly string[] {
  const podman = `unix://${socket}`
  const environment = {
    ...process.env,
    CONTAINER_HOST: podman,
    DOCKER_HOST: docker,
    TEND_HOME: home,
  }
  const { stdout } = spawnSync('bin/tend', ['list', '-o', 'json'], {
    env: environment,
    encoding: 'utf8',
  })
  return [...stdout.matchAll(/"(?:chart|stack|name)": "([^"]+)"/g)].map((match) => match[1]!)
}

/** The usual one, unless somebody else had it before us; then the same other one each time. */
async function chosenPort(): Promise<number> {
  const file = join(home, 'port')
  const known = Number(readFileIfAny(file) ?? Number.NaN)
  if (Number.isInteger(known) && ((await isFree(known)) || (await isHello(known)))) return known
  const isUsual = await isFree(usualPort)
  const port = isUsual ? usualPort : await freePort()
  if (!isUsual) console.log(`Port ${usualPort} is taken, so the page will be on port ${port}`)
  mkdirSync(home, { recursive: true, mode: 0o700 })
  writeFileSync(file, String(port))
  return port
}

async function isHello(port: number): Promise<boolean> {
  try {
    return (await (await fetch(`http://127.0.0.1:${port}/ready`)).text()) === 'ready\n'
  } catch {
    return false
  }
}

function readFileIfAny(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** A Podman that is already there: one that we started before, or the machine's. */
async function answering(): Promise<string | undefined> {
  const own = await ours()
  if (own !== undefined) return own.socket
  try {
    const address = findSocket(surroundings(undefined))
    return (await isUp(address)) ? address.replace(/^unix:\/\//, '') : undefined
  } catch {
    return undefined
  }
}

async function ours(): Promise<Service | undefined> {
  try {
    const service: Service = JSON.parse(readFileSync(note, 'utf8'))
    return (await isUp(`unix://${service.socket}`)) ? service : undefined
  } catch {
    return undefined
  }
}

async function isUp(address: string): Promise<boolean> {
  const podman = podmanAt(address)
  try {
    await ping(podman, AbortSignal.timeout(5_000))
    return true
  } catch {
    return false
  } finally {
    podman.close()
  }
}

async function privatePodman(): Promise<string> {
  const { socket, root } = await startPodman({ isKept: true })
  console.log(`No Podman socket answered, so a private service was started: unix://${socket}\n`)
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const service: Service = { socket, root }
  writeFileSync(note, JSON.stringify(service))
  return socket
}

function tend(socket: string, ...words: readonly string[]): number {
  console.log(`$ tend ${words.join(' ')}\n`)
  const environment = { ...process.env, CONTAINER_HOST: `unix://${socket}`, TEND_HOME: home }
  const { status } = spawnSync('bin/tend', words, { env: environment, stdio: 'inherit' })
  return status ?? 1
}

async function fetched(page: string): Promise<string> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await (await fetch(page)).text()
    } catch (error) {
      if (tries === 20) throw error
      await sleep(250)
    }
  }
}
