/** Lists in which an entry replaces an earlier one for the same thing: the same variable, port, mount target. */
import { failure } from '../compose-error.ts'
import { describe, type MapNode, type Node } from '../yaml/node.ts'
import { rewriteAll, rulesOf, type Path, type Rules } from './path-rules.ts'
import { parseVolume } from '../canonical/volume-spec.ts'
import { defined } from '#model/defined.ts'

/** The later entry takes the place of the earlier one. */
export function keepLast(root: Node): Node {
  return rewriteAll(root, indexes, (index, node, path, below) => {
    if (node.kind !== 'list') return below(node)
    if (node.items.length === 0) return { ...node, isGiven: true }
    const kept = new Map<string, Node>()
    for (const [i, item] of node.items.entries()) kept.set(index(item, [...path, String(i)]), item)
    return kept.size === node.items.length ? node : { ...node, items: [...kept.values()] }
  })
}

/** What two entries must have in common to be the same thing. */
type Index = (item: Node, path: Path) => string

const byMount =
  (folder: string): Index =>
  (item, path) => {
    if (item.kind === 'text') return `${folder}/${item.value}`
    if (item.kind !== 'map') throw unexpected(item, path)
    const target = item.entries.get('target')
    if (target === undefined) return `${folder}/${keyPart(item.entries.get('source'))}`
    if (target.kind !== 'text') throw unexpected(target, [...path, 'target'])
    return target.value
  }

const indexes: Rules<Index> = rulesOf<Index>({
  'networks.*.ipam.options': byName,
  'networks.*.labels': byName,
  'services.*.annotations': byName,
  'services.*.build.additional_contexts': byName,
  'services.*.build.args': byName,
  'services.*.build.labels': byName,
  'services.*.build.tags': byName,
  'services.*.cap_add': byName,
  'services.*.cap_drop': byName,
  'services.*.configs': byMount(''),
  'services.*.deploy.labels': byName,
  'services.*.devices': byDevice,
  'services.*.dns': byName,
  'services.*.dns_opt': byName,
  'services.*.dns_search': byName,
  'services.*.env_file': byFile,
  'services.*.environment': byName,
  'services.*.expose': byNumber,
  'services.*.labels': byName,
  'services.*.links': byName,
  'services.*.networks.*.aliases': byName,
  'services.*.networks.*.link_local_ips': byName,
  'services.*.ports': byPort,
  'services.*.profiles': byName,
  'services.*.secrets': byMount('/run/secrets'),
  'services.*.sysctls': byName,
  'services.*.tmpfs': byName,
  'services.*.volumes': byTarget,
})

function byName(item: Node, path: Path): string {
  if (item.kind !== 'text') throw unexpected(item, path)
  return defined(item.value.split('=', 1)[0])
}

function byNumber(item: Node, path: Path): string {
  if (item.kind !== 'text' && item.kind !== 'int') throw unexpected(item, path)
  return String(item.value)
}

function byTarget(item: Node, path: Path): string {
  if (item.kind === 'map') return requiredTarget(item, path)
  if (item.kind !== 'text') return ''
  const volume = parseVolume(item.value)
  if (typeof volume !== 'string') return volume.target
  throw failure(item.place, `${path.join('.')}: "${item.value}" is not a volume: ${volume}`)
}

function byDevice(item: Node, path: Path): string {
  if (item.kind === 'map') return requiredTarget(item, path)
  if (item.kind !== 'text') return ''
  const parts = item.value.split(':')
  return parts[1] ?? defined(parts[0])
}

function requiredTarget(item: MapNode, path: Path): string {
  const target = item.entries.get('target')
  if (target?.kind === 'text') return target.value
  throw failure(
    item.place,
    `${path.join('.')} has no target`,
    'add target: with a path in the container',
  )
}

function byPort(item: Node, path: Path): string {
  if (item.kind === 'text') return item.value
  if (item.kind === 'int') return String(item.value)
  if (item.kind !== 'map') return ''
  const target = item.entries.get('target')
  if (target === undefined) {
    throw failure(
      item.place,
      `${path.join('.')} has no target port`,
      'add target: with the port in the container',
    )
  }
  const host = item.entries.get('host_ip')
  const protocol = item.entries.get('protocol')
  return [
    host === undefined ? '0.0.0.0' : keyPart(host),
    keyPart(item.entries.get('published')),
    `${keyPart(target)}/${protocol === undefined ? 'tcp' : keyPart(protocol)}`,
  ].join(':')
}

function byFile(item: Node, path: Path): string {
  if (item.kind === 'text') return item.value
  if (item.kind !== 'map') return ''
  const file = item.entries.get('path')
  if (file?.kind === 'text') return file.value
  throw failure(item.place, `${path.join('.')} has no path`)
}

/** Text and number count as different, as in the reference. */
function keyPart(node: Node | undefined): string {
  if (node === undefined) return '<none>'
  if (node.kind === 'text') return node.value
  return node.kind === 'int' ? `#${node.value}` : describe(node)
}

function unexpected(item: Node, path: Path) {
  return failure(item.place, `${path.join('.')} must be text, not ${describe(item)}`)
}
