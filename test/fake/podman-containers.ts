/** The calls about containers of the fake Podman. */
import { isList, isRecord, type Json, type JsonRecord } from '#model/json.ts'
import { Refused, type Arrived, type FakeContainer, type PodmanState } from './podman-state.ts'

export function containerCalls(state: PodmanState, call: Arrived): Json | undefined {
  const [first, name = '', verb] = call.parts
  if (first !== 'containers') return undefined
  if (name === 'json') return [...state.containers.values()].map((one) => listed(state, one))
  if (name === 'create') return create(state, call)
  const one = find(state, name)
  if (call.method === 'DELETE') return remove(state, one, call.query['ignore'] === true)
  if (one === undefined)
    throw new Refused(404, `no container with name or ID "${name}" found: no such container`)
  switch (verb ?? '') {
    case 'json':
      return inspected(one)
    case 'exists':
      return null
    case 'init':
      assertProgram(one)
      if (one.state === 'created') one.state = 'initialized'
      return null
    case 'pause':
      one.state = 'paused'
      return null
    case 'unpause':
      one.state = 'running'
      return null
    case 'start':
      return start(state, one)
    case 'stop':
      if (one.state !== 'running') throw new Refused(304, 'already stopped')
      one.state = 'exited'
      return null
    case 'rename':
      return rename(state, one, String(call.query['name']))
    case 'healthcheck':
      if (one.state !== 'running') throw new Refused(409, 'container is not running')
      return {
        Status: 'healthy',
        Log: [{ ExitCode: one.env['UNHEALTHY'] === undefined ? 0 : 1, Output: 'probed' }],
      }
    case 'logs':
      return ''
    default:
      return undefined
  }
}

export function find(state: PodmanState, name: string): FakeContainer | undefined {
  return (
    [...state.containers.values()].find((one) => one.name === name) ?? state.containers.get(name)
  )
}

function create(state: PodmanState, { body }: Arrived): Json {
  const name = textOf(body['name'])
  const image = textOf(body['image'])
  if (!state.images.has(image)) throw new Refused(500, `${image}: image not known`)
  const one = built(state, body, name, image)
  if (find(state, name) !== undefined) {
    throw new Refused(
      500,
      `creating container storage: the container name "${name}" is already in use: that name is already in use`,
    )
  }
  for (const network of one.networks.keys()) {
    if (!state.networks.has(network))
      throw new Refused(500, `unable to find network with name ${network}: network not found`)
  }
  for (const secret of one.secrets) {
    if (!state.secrets.has(secret))
      throw new Refused(500, `no secret with name "${secret}": no such secret`)
  }
  if (one.pod !== '' && !state.pods.has(one.pod)) throw new Refused(404, `no such pod ${one.pod}`)
  const isUp = [...state.containers.values()].some(
    (other) => other.isInfra && other.pod === one.pod && other.state === 'running',
  )
  if (isUp && body['init_container_type'] !== undefined)
    throw new Refused(500, 'cannot add init-ctr to a running pod')
  for (const volume of one.volumes) {
    // The real one makes unknown volumes on the way, without labels.
    if (!state.volumes.has(volume))
      state.volumes.set(volume, {
        name: volume,
        labels: {},
        birth: (state.births += 1),
      })
  }
  state.containers.set(one.id, one)
  return { Id: one.id, Warnings: [] }
}

function built(state: PodmanState, body: JsonRecord, name: string, image: string): FakeContainer {
  const given = recordOf(body['Networks'] ?? body['networks'])
  const hasOwn = recordOf(body['netns'])['nsmode'] === undefined && body['pod'] === undefined
  const networks = hasOwn && Object.keys(given).length === 0 ? { podman: {} } : given
  const secrets = [
    ...recordsOf(body['secrets']).map((secret) => textOf(secret['Source'] ?? secret['source'])),
    ...Object.values(recordOf(body['secret_env'])).map(textOf),
  ]
  return {
    id: state.nextId(),
    name,
    image,
    imageId: state.images.get(image)!,
    labels: textsIn(body['labels']),
    env: textsIn(body['env']),
    program: [...listOf(body['entrypoint']), ...listOf(body['command'])].map(textOf),
    state: 'created',
    exitCode: 0,
    networks: new Map(
      Object.entries(networks).map(([network, settings]) => [
        network,
        listOf(recordOf(settings)['aliases']).map(textOf),
      ]),
    ),
    ports: recordsOf(body['portmappings']).map((port) => ({
      hostPort: Number(port['host_port'] ?? 0),
      containerPort: Number(port['container_port']),
    })),
    volumes: recordsOf(body['volumes']).map((volume) => textOf(volume['Name'] ?? volume['name'])),
    secrets,
    pod: textOf(body['pod']),
    isInfra: false,
  }
}

function start(state: PodmanState, one: FakeContainer): Json {
  if (one.state === 'running') throw new Refused(304, 'already running')
  const held = new Set(
    [...state.containers.values()]
      .filter((other) => other !== one && other.state === 'running')
      .flatMap((other) => other.ports.map(({ hostPort }) => hostPort)),
  )
  for (const { hostPort } of one.ports) {
    if (hostPort !== 0 && held.has(hostPort)) {
      throw new Refused(
        500,
        `cannot listen on the TCP port: listen tcp4 :${hostPort}: bind: address already in use`,
      )
    }
  }
  assertProgram(one)
  // a member brings up what holds the network of its pod
  const infra = [...state.containers.values()].find(
    (other) => other.isInfra && other.pod === one.pod && other.state !== 'running',
  )
  if (infra !== undefined && !one.isInfra) start(state, infra)
  const exitCode = endOf(one)
  one.state = exitCode === undefined ? 'running' : 'exited'
  one.exitCode = exitCode ?? 0
  return null
}

/** Everything below /no is not there. */
function assertProgram({ program }: FakeContainer): void {
  const [first = ''] = program
  if (!first.startsWith('/no/')) return
  throw new Refused(
    500,
    `runc: exec: "${first}": stat ${first}: no such file or directory: OCI runtime attempted to invoke a command that was not found`,
  )
}

/** With what it ends at once; undefined when it goes on. */
function endOf({ program }: FakeContainer): number | undefined {
  const text = program.join(' ')
  if (text === '/bin/true') return 0
  const [, code] = /^\/bin\/sh -c exit (\d+)$/.exec(text) ?? []
  return code === undefined ? undefined : Number(code)
}

function rename(state: PodmanState, one: FakeContainer, to: string): Json {
  const other = find(state, to)
  if (other !== undefined && other !== one) {
    throw new Refused(
      500,
      `the container name "${to}" is already in use: that name is already in use`,
    )
  }
  one.name = to
  return null
}

function remove(state: PodmanState, one: FakeContainer | undefined, isFine: boolean): Json {
  if (one === undefined) {
    if (isFine) return []
    throw new Refused(404, 'no such container')
  }
  state.containers.delete(one.id)
  return [{ Id: one.id }]
}

function listed(state: PodmanState, one: FakeContainer): Json {
  return {
    Id: one.id,
    Names: [one.name],
    Image: one.image,
    ImageID: one.imageId,
    State: one.state,
    ExitCode: one.exitCode,
    StartedAt: 1_700_000_000,
    Created: '2026-01-01T00:00:00Z',
    Labels: one.labels,
    Networks: [...one.networks.keys()],
    Ports: one.ports.map(({ hostPort, containerPort }) => ({
      host_ip: '',
      host_port: hostPort,
      container_port: containerPort,
      range: 1,
      protocol: 'tcp',
    })),
    Pod: state.pods.get(one.pod)?.id ?? '',
    PodName: one.pod,
    IsInfra: one.isInfra,
    Mounts: [],
  }
}

function inspected(one: FakeContainer): Json {
  const networks: Record<string, Json> = {}
  for (const [network, aliases] of one.networks) {
    networks[network] = { Aliases: [...aliases, one.id.slice(0, 12)], IPAddress: '10.0.0.2' }
  }
  const ago = new Date(Date.now() - 60_000).toISOString()
  return {
    Id: one.id,
    Name: one.name,
    Image: one.imageId,
    ImageName: one.image,
    RestartCount: 0,
    State: {
      Status: one.state,
      Running: one.state === 'running',
      ExitCode: one.exitCode,
      StartedAt: ago,
      FinishedAt: ago,
      Error: '',
    },
    Config: { Labels: one.labels, Env: [], StopTimeout: 10 },
    HostConfig: {},
    Mounts: [],
    NetworkSettings: { Networks: networks, Ports: {} },
  }
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function recordOf(value: unknown): JsonRecord {
  return isRecord<Json>(value) ? value : {}
}

export function listOf(value: unknown): readonly Json[] {
  return isList<Json>(value) ? value : []
}

function recordsOf(value: unknown): readonly JsonRecord[] {
  return listOf(value).map(recordOf)
}

export function textsIn(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(recordOf(value)).map(([key, item]) => [key, textOf(item)]),
  )
}
