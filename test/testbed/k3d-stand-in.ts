/** Stands in for k3d where it can't be had: takes only what k3d documents, keeps state, writes its calls down. A program. */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'

const state = process.env['K3D_STAND_IN'] ?? ''
const clusters = join(state, 'clusters')

type Kept = { readonly name: string; readonly config: unknown; readonly isRunning: boolean }

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

function fatal(text: string): never {
  process.stderr.write(`\u001b[31mFATA\u001b[0m[0000] ${text}\n`)
  process.exit(1)
}

function check(value: unknown, allowed: unknown, path: string): void {
  if (allowed === true || typeof value !== 'object' || value === null) return
  for (const [key, item] of Object.entries(value)) {
    const below = (allowed as Record<string, unknown>)[key]
    if (below === undefined) fatal(`Schema Validation failed: ${path}${key} is not allowed`)
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

function create(file: string): void {
  const config = parse(readFileSync(file, 'utf8'))
  check(config, schema, '')
  if (config.apiVersion !== 'k3d.io/v1alpha5' || config.kind !== 'Simple') fatal('wrong apiVersion')
  for (const { port } of config.ports ?? []) {
    if (!/^([\d.]+:)?\d+:\d+$/.test(port)) fatal(`error parsing port ${port}`)
  }
  const name = config.metadata?.name ?? fatal('no name')
  if (read(name) !== undefined) {
    fatal(`Failed to create cluster '${name}' because a cluster with that name already exists`)
  }
  if (failsOnPurpose('create', name)) {
    fatal('Cluster creation FAILED, all changes have been rolled back!')
  }
  if (failsOnPurpose('half', name)) {
    write({ name, config, isRunning: false })
    fatal('Cluster creation FAILED, rollback deactivated.')
  }
  waitForOthers()
  write({ name, config, isRunning: true })
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
  const entries = shown.map(({ name, isRunning, config }) => ({
    name,
    network: { name: `k3d-${name}`, id: 'n', ipam: {} },
    nodes: [
      {
        name: `k3d-${name}-server-0`,
        role: 'server',
        IP: { IP: isRunning ? '172.20.0.3' : '', Static: false },
        State: { Running: isRunning, Status: isRunning ? 'running' : 'exited' },
      },
    ],
    config,
    serversRunning: isRunning ? 1 : 0,
    serversCount: 1,
    agentsRunning: 0,
    agentsCount: 0,
    hasLoadbalancer: true,
  }))
  process.stdout.write(`${JSON.stringify(entries)}\n`)
}

function kubeconfig(name: string): void {
  if (read(name) === undefined) fatal(`cluster ${name} not found`)
  const { server, ca } = JSON.parse(readFileSync(join(state, 'api.json'), 'utf8'))
  const context = `k3d-${name}`
  process.stdout.write(
    stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': context,
      contexts: [{ name: context, context: { cluster: context, user: `admin@${context}` } }],
      clusters: [
        {
          name: context,
          cluster: { server: `${server}/${name}`, 'certificate-authority-data': ca },
        },
      ],
      users: [{ name: `admin@${context}`, user: {} }],
    }),
  )
}

function main(args: readonly string[]): void {
  mkdirSync(clusters, { recursive: true })
  appendFileSync(join(state, 'calls'), `${args.join(' ')}\n`)
  if (existsSync(join(state, 'broken'))) {
    fatal(
      'Failed to get nodes: docker failed to get containers: Cannot connect to the Docker daemon',
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
      const kept = read(name) ?? fatal(`No clusters found`)
      return write({ ...kept, isRunning: command === 'cluster start' })
    }
  }
}

main(process.argv.slice(2))
