/** The model as it is meant: the default network, implied dependencies, variables without a value, names of resources. */
import { failure } from '../compose-error.ts'
import { clean } from '../load/file-path.ts'
import { formatValue } from './format-value.ts'
import {
  describe,
  flag,
  list,
  map,
  mapAt,
  mapOf,
  nothing,
  text,
  withEntry,
  type ListNode,
  type MapNode,
  type Node,
} from '../yaml/node.ts'
import type { Lookup } from '../load/substitute.ts'
import { defined } from '#model/defined.ts'

export function normalize(root: MapNode, projectName: string, lookup: Lookup): MapNode {
  const named = withEntry(root, 'name', text(projectName, root.place))
  const connected = connectNetworks(named)
  const services = mapAt(connected, 'services')
  if (services === undefined) return nameResources(connected, projectName)
  const entries = new Map<string, Node>()
  for (const [name, service] of services.entries) {
    if (service.kind !== 'map') throw failure(service.place, `services.${name} must be a mapping`)
    entries.set(name, normalizeService(service, name, lookup))
  }
  return nameResources(withEntry(connected, 'services', map(entries, services.place)), projectName)
}

/** A service without networks is on `default`, which exists as soon as one service uses it. */
function connectNetworks(root: MapNode): MapNode {
  const services = mapAt(root, 'services')
  let usesDefault = false
  const entries = new Map<string, Node>()
  for (const [name, service] of services?.entries ?? []) {
    entries.set(name, service)
    if (service.kind !== 'map') continue
    if (service.entries.has('provider') || service.entries.has('network_mode')) continue
    const networks = mapAt(service, 'networks')
    if (networks === undefined || networks.entries.size === 0) {
      const own = mapOf({ default: nothing(service.place) }, service.place)
      entries.set(name, withEntry(service, 'networks', own))
      usesDefault = true
    } else if (networks.entries.has('default')) usesDefault = true
  }
  const connected =
    services === undefined ? root : withEntry(root, 'services', map(entries, services.place))
  const networks = mapAt(connected, 'networks') ?? map(new Map(), root.place)
  if (!usesDefault || networks.entries.has('default')) return connected
  return withEntry(connected, 'networks', withEntry(networks, 'default', nothing(networks.place)))
}

function normalizeService(service: MapNode, name: string, lookup: Lookup): MapNode {
  const entries = new Map(service.entries)
  const policy = entries.get('pull_policy')
  if (policy?.kind === 'text' && policy.value === 'if_not_present') {
    entries.set('pull_policy', text('missing', policy.place))
  }
  const build = entries.get('build')
  if (build?.kind === 'map') entries.set('build', normalizeBuild(build, lookup))
  const environment = entries.get('environment')
  if (environment !== undefined) entries.set('environment', resolved(environment, lookup, true))
  const volumes = entries.get('volumes')
  if (volumes?.kind === 'list')
    entries.set('volumes', list(volumes.items.map(cleanTarget), volumes.place))
  const hooks = entries.get('pre_start')
  if (hooks?.kind === 'list') entries.set('pre_start', withImages(hooks, entries.get('image')))
  const dependencies = allDependencies(map(entries, service.place), name)
  if (dependencies.entries.size > 0) entries.set('depends_on', dependencies)
  return map(entries, service.place)
}

/** A hook that names no image runs in the service's. */
function withImages(hooks: ListNode, image: Node | undefined): Node {
  if (image?.kind !== 'text' || image.value === '') return hooks
  const items = hooks.items.map((hook) =>
    hook.kind !== 'map' || hook.entries.has('image') ? hook : withEntry(hook, 'image', image),
  )
  return list(items, hooks.place)
}

function normalizeBuild(build: MapNode, lookup: Lookup): MapNode {
  const { place } = build
  const has = (key: string) => build.entries.has(key) && build.entries.get(key)?.kind !== 'null'
  const entries = new Map(build.entries)
  if (!has('context')) entries.set('context', text('.', place))
  if (!has('dockerfile') && !has('dockerfile_inline'))
    entries.set('dockerfile', text('Dockerfile', place))
  const args = build.entries.get('args')
  if (args !== undefined) entries.set('args', resolved(args, lookup, false))
  return map(entries, place)
}

/** A variable without a value takes that of the surroundings; without one it stays empty or is dropped. */
function resolved(node: Node, lookup: Lookup, keepsEmpty: boolean): Node {
  if (node.kind === 'list') {
    const items = node.items.flatMap((item) => {
      if (item.kind !== 'text') return []
      if (item.value.includes('=')) return [item]
      const value = lookup(item.value)
      if (value !== undefined) return [text(`${item.value}=${value}`, item.place)]
      return keepsEmpty ? [item] : []
    })
    return list(items, node.place)
  }
  if (node.kind !== 'map') return node
  const entries = new Map<string, Node>()
  for (const [key, value] of node.entries) {
    const found = value.kind === 'null' ? lookup(key) : undefined
    if (value.kind !== 'null') entries.set(key, value)
    else if (found !== undefined) entries.set(key, text(found, value.place))
    else if (keepsEmpty) entries.set(key, value)
  }
  return map(entries, node.place)
}

function cleanTarget(volume: Node): Node {
  const target = volume.kind === 'map' ? volume.entries.get('target') : undefined
  if (volume.kind !== 'map' || target?.kind !== 'text') {
    throw failure(volume.place, `a volume must be a mapping with a target, not ${describe(volume)}`)
  }
  return withEntry(
    volume,
    'target',
    text(target.value === '' ? '.' : clean(target.value), target.place),
  )
}

const namespaces = ['network_mode', 'ipc', 'pid', 'uts', 'cgroup']

/** Who shares a namespace, a link or volumes with another service depends on it. */
function allDependencies(service: MapNode, name: string): MapNode {
  const given = service.entries.get('depends_on')
  const entries = new Map(given?.kind === 'map' ? given.entries : [])
  const imply = (other: string, by: Node, restart: boolean) => {
    if (entries.has(other)) return
    const { place } = by
    const dependency = {
      condition: text('service_started', place),
      restart: flag(restart, place),
      required: flag(true, place),
    }
    entries.set(other, mapOf(dependency, place))
  }
  for (const link of texts(service, 'links', name)) {
    const parts = link.value.split(':')
    imply(parts.length === 2 ? defined(parts[0]) : link.value, link.node, true)
  }
  for (const key of namespaces) {
    const mode = service.entries.get(key)
    if (mode === undefined) continue
    if (mode.kind !== 'text') {
      throw failure(mode.place, `services.${name}.${key} must be text, not ${describe(mode)}`)
    }
    if (mode.value.startsWith('service:')) imply(mode.value.slice('service:'.length), mode, true)
  }
  for (const from of texts(service, 'volumes_from', name)) {
    if (!from.value.startsWith('container:'))
      imply(defined(from.value.split(':', 1)[0]), from.node, false)
  }
  return map(entries, given?.place ?? service.place)
}

function texts(service: MapNode, key: string, name: string): { value: string; node: Node }[] {
  const node = service.entries.get(key)
  if (node?.kind !== 'list') return []
  return node.items.map((item) => {
    if (item.kind === 'text') return { value: item.value, node: item }
    throw failure(item.place, `services.${name}.${key} must be a list of names`)
  })
}

/** A resource without a name is called after the project and its key, an external one after its key alone. */
function nameResources(root: MapNode, projectName: string): MapNode {
  let result = root
  for (const section of ['networks', 'volumes', 'configs', 'secrets']) {
    const resources = mapAt(root, section)
    if (resources === undefined) continue
    const entries = new Map<string, Node>()
    for (const [key, node] of resources.entries) {
      const resource = node.kind === 'map' ? node : map(new Map(), node.place)
      const own = resource.entries.get('name')
      const isNamed = own !== undefined && own.kind !== 'null'
      const name = isTrue(resource.entries.get('external')) ? key : `${projectName}_${key}`
      entries.set(key, isNamed ? resource : withEntry(resource, 'name', text(name, node.place)))
    }
    result = withEntry(result, section, map(entries, resources.place))
  }
  return result
}

function isTrue(node: Node | undefined): boolean {
  return node !== undefined && ['1', 't', 'T', 'TRUE', 'true', 'True'].includes(formatValue(node))
}
