/** The calls about everything but containers of the fake Podman. */
import type { Json } from '#model/json.ts'
import { find, listOf, recordOf, textOf, textsIn } from './podman-containers.ts'
import {
  Refused,
  type Arrived,
  type FakeContainer,
  type FakeVolume,
  type PodmanState,
} from './podman-state.ts'

export function otherCalls(state: PodmanState, call: Arrived): Json | undefined {
  switch (call.parts[0] ?? '') {
    case 'networks':
      return networks(state, call)
    case 'volumes':
      return volumes(state, call)
    case 'secrets':
      return secrets(state, call)
    case 'pods':
      return pods(state, call)
    case 'images':
      return images(state, call)
    case '_ping':
      return 'OK'
    case 'info':
      return {
        host: { security: { rootless: false, selinuxEnabled: false } },
        version: { Version: '4.3.1' },
      }
    default:
      return undefined
  }
}

function networks(state: PodmanState, call: Arrived): Json | undefined {
  const [, name = '', verb] = call.parts
  if (name === 'json') {
    return [...state.networks].map(([network, { labels }]) => described(network, labels))
  }
  if (name === 'create') {
    const wanted = textOf(call.body['name'])
    if (state.networks.has(wanted))
      throw new Refused(409, `network name ${wanted} already used: network already exists`)
    state.networks.set(wanted, { labels: textsIn(call.body['labels']) })
    return described(wanted, state.networks.get(wanted)!.labels)
  }
  const found = state.networks.get(name)
  if (found === undefined)
    throw new Refused(404, `unable to find network with name or ID ${name}: network not found`)
  if (call.method === 'DELETE') {
    if (usersOf(state, (one) => one.networks.has(name)).length > 0) {
      throw new Refused(
        500,
        `"${name}" has associated containers with it. Use -f: network is being used`,
      )
    }
    state.networks.delete(name)
    return []
  }
  if (verb === 'json') return described(name, found.labels)
  if (verb === 'exists') return null
  const one = find(state, textOf(call.body['container'] ?? call.body['Container']))
  if (one === undefined) throw new Refused(404, 'no such container')
  if (verb === 'connect') {
    if (one.networks.has(name))
      throw new Refused(
        500,
        `container is already connected to network "${name}": network is already connected`,
      )
    one.networks.set(name, listOf(call.body['aliases']).map(textOf))
    return null
  }
  if (verb === 'disconnect') {
    if (!one.networks.delete(name))
      throw new Refused(500, `container is not connected to network ${name}`)
    return null
  }
  return undefined
}

function described(name: string, labels: Readonly<Record<string, string>>): Json {
  return { name, driver: 'bridge', labels, subnets: [], dns_enabled: true }
}

function volumes(state: PodmanState, call: Arrived): Json | undefined {
  const [, name = '', verb] = call.parts
  if (name === 'json') return [...state.volumes.values()].map(volume)
  if (name === 'create') {
    const wanted = textOf(call.body['Name'])
    if (state.volumes.has(wanted))
      throw new Refused(500, `volume with name ${wanted} already exists: volume already exists`)
    const made = {
      name: wanted,
      labels: textsIn(call.body['Labels'] ?? call.body['Label']),
      birth: (state.births += 1),
    }
    state.volumes.set(wanted, made)
    return volume(made)
  }
  const found = state.volumes.get(name)
  if (found === undefined)
    throw new Refused(404, `no volume with name "${name}" found: no such volume`)
  if (call.method === 'DELETE') {
    if (usersOf(state, (one) => one.volumes.includes(name)).length > 0) {
      throw new Refused(409, `volume ${name} is being used by the following container(s)`)
    }
    state.volumes.delete(name)
    return null
  }
  return verb === 'json' ? volume(found) : null
}

function volume({ name, labels, birth }: FakeVolume): Json {
  return {
    Name: name,
    CreatedAt: String(birth),
    Driver: 'local',
    Mountpoint: `/volumes/${name}/_data`,
    Labels: labels,
    Options: {},
  }
}

function secrets(state: PodmanState, call: Arrived): Json | undefined {
  const [, name = ''] = call.parts
  // Lists of 4.x hold no labels: only an inspect tells them.
  if (name === 'json')
    return [...state.secrets].map(([secret, { id }]) => ({
      ID: id,
      Spec: { Name: secret, Labels: null },
    }))
  if (name === 'create') {
    const wanted = String(call.query['name'])
    if (state.secrets.has(wanted)) throw new Refused(500, `${wanted}: secret name in use`)
    if ((call.bytes?.length ?? 0) === 0) throw new Refused(500, 'secret data must be larger than 0')
    const labels = textsIn(JSON.parse(String(call.query['labels'] ?? '{}')))
    state.secrets.set(wanted, { id: state.nextId().slice(0, 25), labels })
    return { ID: state.secrets.get(wanted)!.id }
  }
  const found =
    state.secrets.get(name) ?? [...state.secrets.values()].find((secret) => secret.id === name)
  if (found === undefined)
    throw new Refused(404, `no secret with name or id "${name}": no such secret`)
  const known = [...state.secrets].find(([, secret]) => secret === found)![0]
  if (call.method === 'DELETE') {
    state.secrets.delete(known)
    return null
  }
  return { ID: found.id, Spec: { Name: known, Labels: found.labels } }
}

function pods(state: PodmanState, call: Arrived): Json | undefined {
  const [, nameOrId = '', verb] = call.parts
  if (nameOrId === 'json') return [...state.pods.keys()].map((pod) => listedPod(state, pod))
  if (nameOrId === 'create') return createPod(state, call)
  const entry = [...state.pods].find(([pod, { id }]) => [pod, id].includes(nameOrId))
  if (entry === undefined)
    throw new Refused(404, `no pod with name or ID ${nameOrId} found: no such pod`)
  const [name, found] = entry
  const members = usersOf(state, (one) => one.pod === name)
  if (call.method === 'DELETE') {
    for (const one of members) state.containers.delete(one.id)
    state.pods.delete(name)
    return { Id: found.id }
  }
  if (verb === 'start') for (const one of members) one.state = 'running'
  if (verb === 'stop') {
    if (statusOf(members) !== 'Running') throw new Refused(304, 'already stopped')
    for (const one of members) one.state = 'exited'
  }
  return verb === 'json' ? listedPod(state, name) : null
}

function createPod(state: PodmanState, { body }: Arrived): Json {
  const name = textOf(body['name'])
  if (state.pods.has(name))
    throw new Refused(409, `adding pod to state: name "${name}" is in use: pod already exists`)
  const id = state.nextId()
  state.pods.set(name, { id, labels: textsIn(body['labels']) })
  const infra: FakeContainer = {
    id: state.nextId(),
    name: `${id.slice(0, 12)}-infra`,
    image: 'localhost/podman-pause:4.3.1',
    imageId: 'pause',
    labels: textsIn(body['labels']),
    env: {},
    program: [],
    state: 'created',
    exitCode: 0,
    networks: new Map(
      Object.keys(recordOf(body['Networks'] ?? body['networks'])).map((network) => [network, []]),
    ),
    ports: listOf(body['portmappings']).map((port) => ({
      hostPort: Number(recordOf(port)['host_port'] ?? 0),
      containerPort: Number(recordOf(port)['container_port']),
    })),
    volumes: [],
    secrets: [],
    pod: name,
    isInfra: true,
  }
  state.containers.set(infra.id, infra)
  return { Id: id }
}

function listedPod(state: PodmanState, name: string): Json {
  const members = usersOf(state, (one) => one.pod === name)
  const { id, labels } = state.pods.get(name)!
  return {
    Id: id,
    Name: name,
    Status: statusOf(members),
    State: statusOf(members),
    Created: '2026-01-01T00:00:00Z',
    Labels: labels,
    Networks: members.flatMap((one) => (one.isInfra ? [...one.networks.keys()] : [])),
    InfraId: members.find((one) => one.isInfra)?.id ?? '',
    Containers: members.map((one) => ({ Id: one.id, Names: one.name, Status: one.state })),
  }
}

/** One that has ended is enough for degraded. */
function statusOf(members: readonly FakeContainer[]): string {
  const running = members.filter((one) => one.state === 'running').length
  if (running === members.length) return 'Running'
  return running === 0 ? 'Exited' : 'Degraded'
}

function images(state: PodmanState, call: Arrived): Json | undefined {
  const [, name = '', verb] = call.parts
  if (name === 'json') {
    return [...state.images].map(([tag, id]) => ({ Id: id, RepoTags: [tag], RepoDigests: [] }))
  }
  if (name === 'pull') {
    const wanted = String(call.query['reference'])
    const id = state.images.get(wanted)
    return id === undefined ? { error: `${wanted}: manifest unknown` } : { images: [id], id }
  }
  const id = state.images.get(name)
  if (id === undefined) throw new Refused(404, `${name}: image not known`)
  if (verb === 'tag') {
    state.images.set(`${String(call.query['repo'])}:${String(call.query['tag'])}`, id)
    return null
  }
  return verb === 'json' ? { Id: id } : null
}

function usersOf(
  state: PodmanState,
  uses: (one: FakeContainer) => boolean,
): readonly FakeContainer[] {
  return [...state.containers.values()].filter(uses)
}
