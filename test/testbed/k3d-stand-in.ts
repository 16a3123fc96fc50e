/** Stands in for k3d where it can't be had: takes only what k3d documents, keeps state, writes its calls down. A program. */
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const state = process.env['K3D_STAND_IN'] ?? ''
const clusters = join(state, 'clusters')

type Kept = {
  readonly name: string
  readonly config: {
    readonly ports?: readonly { readonly port: string }[]
    servers?: number
    agents?: number
    kubeAPI?: { hostIP?: string }
  }
  readonly isRunning: boolean
  readonly created?: string
  readonly token?: string
  /** Parts that somebody removed with the engine. */
  readonly removed?: readonly ('server' | 'loadbalancer')[]
  /** Somebody stopped its agents with the engine. */
  readonly areAgentsDown?: boolean
}

/** By command: flags and whether they take a value, and how many names follow. As docs/usage/commands of k3d has them. */
const known: Readonly<Record<string, Readonly<Record<string, boolean>>>> = {
  'cluster create': {
    '--config': true,
    '--image': true,
    '--network': true,
    '--servers': true,
    '--agents': true,
    '--port': true,
    '--subnet': true,
    '--timeout': true,
    '--wait': false,
    '--no-lb': false,
    '--k3s-arg': true,
    '--kubeconfig-update-default': false,
  },
  'cluster list': { '-o': true, '--output': true, '--no-headers': false, '--token': false },
  'cluster delete': { '--all': false, '--config': true },
  'cluster start': { '--all': false, '--timeout': true, '--wait': false },
  'cluster stop': { '--all': false },
  'kubeconfig get': { '--all': false },
}

/** Fields of k3d.io/v1alpha5, kind Simple, that its schema knows; `true`: anything below. */
const schema = {
  apiVersion: true,
  kind: true,
  metadata: { name: true },
  servers: true,
  agents: true,
  kubeAPI: { host: true, hostIP: true, hostPort: true },
  image: true,
  network: true,
  subnet: true,
  token: true,
  volumes: true,
  ports: true,
  env: true,
  registries: true,
  options: {
    k3d: { wait: true, timeout: true, disableLoadbalancer: true, disableRollback: true },
    k3s: { extraArgs: true, nodeLabels: true },
    kubeconfig: { updateDefaultKubeconfig: true, switchCurrentContext: true },
    runtime: true,
  },
}

/** As k3d 5.8.3 writes: always with colours, the cause before the end. */
function say(level: string, colour: number, text: string): void {
  process.stderr.write(`\u001b[${colour}m${level}\u001b[0m[0000] ${text.padEnd(44)}\n`)
}

function fatal(text: string): never {
  say('FATA', 31, text)
  process.exit(1)
}

/** A creation that fails tells why first, then takes everything back, and says last only that it did. */
function failed(why: string): never {
  say('INFO', 36, 'Prep: Network')
  say('ERRO', 31, `Failed Cluster Start: ${why}`)
  say('ERRO', 31, 'Failed to create cluster >>> Rolling Back')
  say('INFO', 36, 'Deleting cluster')
  fatal('Cluster creation FAILED, all changes have been rolled back!')
}

function check(value: unknown, allowed: unknown, path: string): void {
  if (allowed === true || typeof value !== 'object' || value === null) return
  for (const [key, item] of Object.entries(value)) {
    const below = (allowed as Record<string, unknown>)[key]
    if (below === undefined) fatal(`Schema Validation failed: Additional property ${path}${key}`)
    check(item, below, `${path}${key}.`)
  }
}

function fileOf(name: string): string {
  return join(clusters, `${name}.json`)
}

function read(name: string): Kept | undefined {
  return existsSync(fileOf(name)) ? JSON.parse(readFileSync(fileOf(name), 'utf8')) : undefined
}

function write(kept: Kept): void {
  const file = fileOf(kept.name)
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(kept))
  renameSync(`${file}.${process.pid}`, file)
}

function all(): readonly Kept[] {
  const names = readdirSync(clusters).filter((file) => file.endsWith('.json'))
  return names.map((file) => JSON.parse(readFileSync(join(clusters, file), 'utf8')))
}

/** A file `fail-VERB-NAME` with a number in it: so many calls fail from now on. */
function failsOnPurpose(verb: string, name: string): boolean {
  const file = join(state, `fail-${verb}-${name}`)
  if (!existsSync(file)) return false
  const left = Number(readFileSync(file, 'utf8'))
  if (left <= 1) rmSync(file)
  else writeFileSync(file, String(left - 1))
  return true
}

async function create(file: string): Promise<void> {
  // a fleet asks for its clusters hundreds of times for each one that it makes, and loading the reader takes half of the time of a call
  const { parse } = await import('yaml')
  const config = parse(readFileSync(file, 'utf8'))
  check(config, schema, '')
  if (config.apiVersion !== 'k3d.io/v1alpha5' || config.kind !== 'Simple') fatal('wrong apiVersion')
  for (const { port } of config.ports ?? []) {
    if (!/^([\d.]+:)?\d+:\d+$/.test(port)) fatal(`error parsing port spec '${port}'`)
  }
  const name = config.metadata?.name ?? fatal('no name')
  if (read(name) !== undefined) {
    fatal(`Failed to create cluster '${name}' because a cluster with that name already exists`)
  }
  refuseGateless(config.network)
  if (failsOnPurpose('create', name)) failed('Failed to add one or more agents: device busy')
  if (failsOnPurpose('port', name)) {
    const [{ port = '' } = {}] = config.ports ?? []
    failed(
      `Failed to add one or more helper nodes: runtime failed to start node 'k3d-${name}-serverlb': Bind for ${port.split(':').slice(0, -1).join(':')} failed: port is already allocated`,
    )
  }
  const made = { name, config, created: new Date().toISOString(), token: randomUUID() }
  if (failsOnPurpose('half', name)) {
    write({ ...made, isRunning: false })
    fatal('Cluster creation FAILED, rollback deactivated.')
  }
  waitForOthers()
  write({ ...made, isRunning: true })
}

/** A network that is there must have a gateway; the real Docker is asked where the test has one. */
function refuseGateless(network: string | undefined): void {
  if (network === undefined || process.env['DOCKER_HOST'] === undefined) return
  const words = ['network', 'inspect', network]
  const { status, stdout } = spawnSync('docker', words, { encoding: 'utf8' })
  if (status !== 0) return
  const [found] = JSON.parse(stdout)
  if (found?.IPAM?.Config?.[0]?.Gateway !== undefined) return
  failed(
    `failed to gather environment information used for cluster creation: failed to get host IP: runtime failed to get host IP: failed to get gateway IP of docker network '${network}': no gateway defined for network ${network}`,
  )
}

/** `K3D_STAND_IN_TOGETHER=3`: nobody is made before three are being made. */
function waitForOthers(): void {
  const together = Number(process.env['K3D_STAND_IN_TOGETHER'] ?? 0)
  const cell = new Int32Array(new SharedArrayBuffer(4))
  for (let waited = 0; waited < 60_000; waited += 10) {
    const calls = readFileSync(join(state, 'calls'), 'utf8').split('\n')
    const creates = calls.filter((line) => line.startsWith('cluster create')).length
    if (creates >= together) return
    if (existsSync(join(state, 'enough'))) break
    Atomics.wait(cell, 0, 0, 10)
  }
  fatal('the others never came')
}

function list(): void {
  const shown = all().filter(({ name }) => !failsOnPurpose('list', name))
  const entries = shown.map((kept) => {
    const { name, config, removed = [] } = kept
    const servers = removed.includes('server') ? 0 : (config.servers ?? 1)
    return {
      name,
      network: { name: `k3d-${name}`, id: 'n', ipam: {} },
      nodes: nodesOf(kept, servers),
      serversRunning: kept.isRunning ? servers : 0,
      serversCount: servers,
      agentsRunning: kept.isRunning && kept.areAgentsDown !== true ? (config.agents ?? 0) : 0,
      agentsCount: config.agents ?? 0,
      // left out where it is false, as Go does
      ...(removed.includes('loadbalancer') ? {} : { hasLoadbalancer: true }),
    }
  })
  process.stdout.write(`${JSON.stringify(entries)}\n`)
}

function nodesOf(kept: Kept, servers: number): readonly unknown[] {
  const { name, config, isRunning, removed = [], created, token } = kept
  const State = { Running: isRunning, Status: isRunning ? 'running' : 'exited', Started: '' }
  function node(role: string, suffix: string, more: Readonly<Record<string, unknown>>): unknown {
    const runtimeLabels = { 'k3d.cluster': name, 'k3d.cluster.token': token, 'k3d.role': role }
    // the image is told by its id alone
    const image = 'sha256:feed'
    return { name: `k3d-${name}-${suffix}`, role, image, created, runtimeLabels, State, ...more }
  }
  const ip = { IP: { IP: isRunning ? '172.20.0.3' : '', Static: false } }
  const pairs = (config.ports ?? []).map(({ port }) => {
    const parts = port.split(':')
    const bindings = [{ HostIp: parts.length > 2 ? parts[0] : '', HostPort: parts.at(-2) }]
    return [`${parts.at(-1)}/tcp`, bindings] as const
  })
  const api = [{ HostIp: config.kubeAPI?.hostIP ?? '0.0.0.0', HostPort: '40000' }]
  // the one port that k3d 5.8.3 gives the engine without a protocol
  const portMappings = Object.fromEntries([...pairs, ['6443', api] as const])
  const balancer = node('loadbalancer', 'serverlb', { portMappings, IP: { IP: '', Static: false } })
  return [
    ...Array.from({ length: servers }, (_, at) => node('server', `server-${at}`, ip)),
    ...Array.from({ length: config.agents ?? 0 }, (_, at) => node('agent', `agent-${at}`, ip)),
    ...(removed.includes('loadbalancer') ? [] : [balancer]),
  ]
}

function kubeconfig(name: string): void {
  const kept = read(name) ?? fatal('No nodes found for given cluster')
  const lost = `failed to get kubeconfig for cluster '${name}': didn't find any server node`
  if (kept.removed?.includes('server') === true) fatal(lost)
  const { server, ca } = JSON.parse(readFileSync(join(state, 'api.json'), 'utf8'))
  const context = `k3d-${name}`
  process.stdout.write(`apiVersion: v1
kind: Config
current-context: ${context}
contexts:
- context:
    cluster: ${context}
    user: admin@${context}
  name: ${context}
clusters:
- cluster:
    certificate-authority-data: ${ca}
    server: ${server}/${name}
  name: ${context}
users: [{ name: admin@${context}, user: {} }]
`)
}

async function main(args: readonly string[]): Promise<void> {
  mkdirSync(clusters, { recursive: true })
  appendFileSync(join(state, 'calls'), `${args.join(' ')}\n`)
  if (existsSync(join(state, 'broken'))) {
    fatal(
      "runtime failed to list nodes: docker failed to get containers with labels 'map[app:k3d]': failed to list containers: Cannot connect to the Docker daemon",
    )
  }
  const command = args.slice(0, 2).join(' ')
  const flags = known[command] ?? fatal(`unknown command "${command}"`)
  const names: string[] = []
  let config: string | undefined
  for (let index = 2; index < args.length; index += 1) {
    const word = args[index]!
    if (!word.startsWith('-')) {
      names.push(word)
      continue
    }
    const takes = flags[word] ?? fatal(`unknown flag: ${word}`)
    const value = takes ? args[++index] : undefined
    if (takes && value === undefined) fatal(`flag needs an argument: ${word}`)
    if (word === '--config') config = value
  }
  const [name = 'k3s-default'] = names
  switch (command) {
    case 'cluster create':
      return create(config ?? fatal('this stand-in wants a config'))
    case 'cluster list':
      return list()
    case 'cluster delete':
      if (failsOnPurpose('delete', name)) fatal('failed to delete: device busy')
      return rmSync(fileOf(name), { force: true })
    case 'kubeconfig get':
      return kubeconfig(name)
    default: {
      // one without its server is started, too, as far as it goes: k3d says that it started it
      const kept = read(name) ?? fatal('No nodes found for given cluster')
      return write({ ...kept, isRunning: command === 'cluster start', areAgentsDown: false })
    }
  }
}

await main(process.argv.slice(2))
