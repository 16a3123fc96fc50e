/** What is set when a file says nothing, and what can only be judged once short syntaxes are gone. */
import { failure } from '../compose-error.ts'
import { formatValue } from './format-value.ts'
import { isIpAddress } from './ip-address.ts'
import { describe, text, withEntry, type MapNode, type Node } from '../yaml/node.ts'
import { rewriteAll, rulesOf, type Path, type Rules } from '../merge/path-rules.ts'

export function setDefaults(root: Node): Node {
  return rewriteAll(root, defaults, (rule, node, path) => rule(node, path))
}

export function checkSections(root: Node): void {
  rewriteAll(root, checks, (rule, node, path) => {
    rule(node, path)
    return node
  })
}

type Default = (node: Node, path: Path) => Node

const defaults: Rules<Default> = rulesOf<Default>({
  'services.*.build': (node) => (node.kind === 'map' ? withDefault(node, 'context', '.') : node),
  'services.*.deploy.resources.reservations.devices.*': deviceCount,
  'services.*.gpus.*': deviceCount,
  'services.*.ports.*': (node) =>
    node.kind === 'map'
      ? withDefault(withDefault(node, 'protocol', 'tcp'), 'mode', 'ingress')
      : node,
  'services.*.secrets.*': secretTarget,
})

function withDefault(node: MapNode, key: string, value: string): MapNode {
  return node.entries.has(key) ? node : withEntry(node, key, text(value, node.place))
}

function deviceCount(node: Node, path: Path): Node {
  const device = asMap(node, path)
  return device.entries.has('device_ids') ? device : withDefault(device, 'count', 'all')
}

function secretTarget(node: Node, path: Path): Node {
  const secret = asMap(node, path)
  const source = secret.entries.get('source')
  return withDefault(
    secret,
    'target',
    `/run/secrets/${source === undefined ? '%!s(<nil>)' : formatValue(source)}`,
  )
}

function asMap(node: Node, path: Path): MapNode {
  if (node.kind === 'map') return node
  throw failure(node.place, `${path.join('.')} must be a mapping, not ${describe(node)}`)
}

type Check = (node: Node, path: Path) => void

const checks: Rules<Check> = rulesOf<Check>({
  'configs.*': oneSource('file', 'environment', 'content'),
  'secrets.*': oneSource('file', 'environment'),
  'services.*.deploy.resources.reservations.devices.*': countOrIds,
  'services.*.develop.watch.*.path': notBlank,
  'services.*.gpus.*': countOrIds,
  'services.*.ports.*': hostAddress,
  'volumes.*': externalAlone,
})

function oneSource(...keys: readonly string[]): Check {
  return (node, path) => {
    const { entries } = asMap(node, path)
    const given = keys.filter((key) => entries.has(key))
    if (given.length > 1) {
      throw failure(
        node.place,
        `${path.join('.')}: ${given.join(' and ')} exclude each other`,
        'keep one',
      )
    }
    if (given.length === 1 || entries.has('driver') || entries.has('external')) return
    throw failure(node.place, `${path.join('.')} has no source`, `set one of ${keys.join(', ')}`)
  }
}

function countOrIds(node: Node, path: Path): void {
  const { entries } = asMap(node, path)
  if (!entries.has('count') || !entries.has('device_ids')) return
  throw failure(
    node.place,
    `${path.join('.')}: count and device_ids exclude each other`,
    'keep one',
  )
}

function notBlank(node: Node, path: Path): void {
  if (node.kind === 'text' && node.value !== '') return
  throw failure(node.place, `${path.join('.')} must not be empty`)
}

function hostAddress(node: Node, path: Path): void {
  const address = node.kind === 'map' ? node.entries.get('host_ip') : undefined
  if (address === undefined || (address.kind === 'text' && isIpAddress(address.value))) return
  throw failure(address.place, `${path.join('.')}.host_ip is not an IP address`)
}

function externalAlone(node: Node, path: Path): void {
  if (node.kind === 'null') return
  const volume = asMap(node, path)
  const external = volume.entries.get('external')
  if (external === undefined) return
  if (external.kind !== 'flag') {
    throw failure(external.place, `${path.join('.')}.external must be true or false`)
  }
  if (!external.value) return
  for (const [key, value] of volume.entries) {
    if (key === 'name' || key === 'external' || key.startsWith('x-')) continue
    const message = `${path.join('.')}: external and ${key} exclude each other`
    throw failure(value.place, message, 'an external volume is only named here')
  }
}
