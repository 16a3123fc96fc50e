/** One file on top of another: mappings merge, lists append, the rest is replaced, and the exceptions stand in one table. */
import { failure } from '../compose-error.ts'
import { formatValue } from '../canonical/format-value.ts'
import {
  flag,
  list,
  map,
  nothing,
  sameNode,
  text,
  type ListNode,
  type MapNode,
  type Node,
} from '../yaml/node.ts'
import type { Release } from '../canonical/release.ts'
import { rulesOf, under, type Path, type Rules } from './path-rules.ts'

/** `over` wins over `base`, as the file after wins over the file before. */
export function mergeModels(base: MapNode, over: MapNode, release: Release): MapNode {
  return mergeMaps(base, over, { rules: exceptions, release }, [])
}

/** A service on top of the one that it extends: by the same rules. */
export function mergeService(base: MapNode, over: MapNode, release: Release): MapNode {
  const rules = under(under(exceptions, 'services'), '*')
  return mergeMaps(base, over, { rules, release }, ['services', '*'])
}

type Ways = { readonly rules: Rules<Merger> | undefined; readonly release: Release }
type Merger = (base: Node, over: Node, ways: Ways, path: Path) => Node

const toSequence: Merger = (base, over, { release }) =>
  list(appended(sequence(base), sequence(over), release), over.place)

const exceptions: Rules<Merger> = rulesOf<Merger>({
  'networks.*.ipam.config': mergePools,
  'networks.*.labels': toSequence,
  'services.*.annotations': toSequence,
  'services.*.build': mergeBuild,
  'services.*.build.additional_contexts': toSequence,
  'services.*.build.args': toSequence,
  'services.*.build.extra_hosts': mergeHosts,
  'services.*.build.labels': toSequence,
  'services.*.command': (_, over) => over,
  'services.*.depends_on': mergeDependencies,
  'services.*.deploy.labels': toSequence,
  'services.*.dns': toSequence,
  'services.*.dns_opt': toSequence,
  'services.*.dns_search': toSequence,
  'services.*.entrypoint': (_, over) => over,
  'services.*.env_file': toSequence,
  'services.*.environment': toSequence,
  'services.*.extra_hosts': mergeHosts,
  'services.*.healthcheck.test': (_, over) => over,
  'services.*.label_file': toSequence,
  'services.*.labels': toSequence,
  'services.*.logging': mergeLogging,
  'services.*.models': mergeNamed,
  'services.*.networks': mergeNamed,
  'services.*.sysctls': toSequence,
  'services.*.tmpfs': toSequence,
  'services.*.ulimits.*': mergeUlimit,
  'services.*.volumes.*.volume.labels': toSequence,
  'volumes.*.labels': toSequence,
})

function merge(base: Node, over: Node, ways: Ways, path: Path): Node {
  const { rules, release } = ways
  if (rules?.rule !== undefined) return rules.rule(base, over, ways, path)
  if (over.kind === 'null') return base
  if (base.kind === 'map') {
    if (over.kind !== 'map') throw cannot(over, path, 'a mapping')
    return mergeMaps(base, over, ways, path)
  }
  if (base.kind !== 'list') return over
  if (over.kind !== 'list') throw cannot(over, path, 'a list')
  return list(appended(base.items, over.items, release), over.place)
}

/** In release 5 what is there already is not added again. */
function appended(base: readonly Node[], over: readonly Node[], release: Release): readonly Node[] {
  if (release === 2) return [...base, ...over]
  const all = [...base]
  for (const item of over) if (!all.some((other) => sameNode(item, other))) all.push(item)
  return all
}

function mergeMaps(base: MapNode, over: MapNode, ways: Ways, path: Path): MapNode {
  const entries = new Map(base.entries)
  for (const [key, value] of over.entries) {
    const existing = entries.get(key)
    entries.set(
      key,
      existing === undefined ? value : merge(existing, value, below(ways, key), [...path, key]),
    )
  }
  return map(entries, over.place)
}

function below({ rules, release }: Ways, key: string): Ways {
  return { rules: under(rules, key), release }
}

function cannot(over: Node, path: Path, kind: string) {
  return failure(
    over.place,
    `${path.join('.')} cannot be overridden: it is ${kind} in the file before and something else here`,
    `write ${kind} here too, or tag the value !override`,
  )
}

/** A mapping becomes `key=value` items in the order of their texts; a key without a value stays alone. */
function sequence(node: Node): readonly Node[] {
  if (node.kind === 'list') return node.items
  if (node.kind === 'text') return [node]
  if (node.kind !== 'map') return []
  const items = [...node.entries].flatMap(([key, value]) => {
    if (value.kind === 'null') return [text(key, value.place)]
    const values = value.kind === 'list' ? value.items : [value]
    return values.map((item) => text(`${key}=${formatValue(item)}`, item.place))
  })
  return items.toSorted((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : 0))
}

function mergeHosts(base: Node, over: Node): ListNode {
  const known = sequence(base)
  const added = sequence(over).filter((item) => !known.some((other) => sameNode(item, other)))
  return list([...known, ...added], over.place)
}

/** Release 2 means to merge soft and hard, and takes the new one alone. */
function mergeUlimit(base: Node, over: Node, ways: Ways, path: Path): Node {
  const isMerged = ways.release === 5 && base.kind === 'map' && over.kind === 'map'
  return isMerged ? mergeMaps(base, over, ways, path) : over
}

function mergeBuild(base: Node, over: Node, ways: Ways, path: Path): Node {
  if (over.kind === 'null') return base
  return mergeMaps(asBuild(base, path), asBuild(over, path), ways, path)
}

function asBuild(node: Node, path: Path): MapNode {
  if (node.kind === 'map') return node
  if (node.kind === 'text') return map(new Map([['context', node]]), node.place)
  throw failure(node.place, `${path.join('.')} must be a path or a mapping`)
}

/** Options go together only when the driver is the same or one side names none. */
function mergeLogging(base: Node, over: Node, ways: Ways, path: Path): Node {
  if (base.kind !== 'map' || over.kind !== 'map') {
    throw failure(over.place, `${path.join('.')} must be a mapping`)
  }
  const [before, after] = [base.entries.get('driver'), over.entries.get('driver')]
  const isSame = before === undefined || after === undefined || sameNode(before, after)
  return isSame ? mergeMaps(base, over, ways, path) : over
}

function mergeDependencies(base: Node, over: Node, ways: Ways, path: Path): Node {
  const started = (node: Node) =>
    map(
      new Map<string, Node>([
        ['condition', text('service_started', node.place)],
        ['required', flag(true, node.place)],
      ]),
      node.place,
    )
  return mergeMaps(named(base, ways, path, started), named(over, ways, path, started), ways, path)
}

function mergeNamed(base: Node, over: Node, ways: Ways, path: Path): Node {
  const bare = (node: Node) => nothing(node.place)
  return mergeMaps(named(base, ways, path, bare), named(over, ways, path, bare), ways, path)
}

/** A list of names as a mapping. In release 2 anything else than a list or a mapping counts as empty. */
function named(node: Node, { release }: Ways, path: Path, value: (item: Node) => Node): MapNode {
  if (node.kind === 'map') return node
  if (release === 5 && node.kind === 'text') {
    return map(new Map([[node.value, value(node)]]), node.place)
  }
  if (release === 5 && node.kind !== 'list') {
    throw failure(node.place, `${path.join('.')} must be a mapping or a list of names`)
  }
  const entries = new Map<string, Node>()
  for (const item of node.kind === 'list' ? node.items : []) {
    if (item.kind !== 'text') throw failure(item.place, `${path.join('.')} must be a list of names`)
    entries.set(item.value, value(item))
  }
  return map(entries, node.place)
}

/** Pools go together by their subnet. Without a pool in one of the files none is left, as in the reference. */
function mergePools(base: Node, over: Node, ways: Ways, path: Path): Node {
  if (base.kind !== 'list' || over.kind !== 'list') {
    throw failure(over.place, `${path.join('.')} must be a list of pools`)
  }
  const pools: MapNode[] = []
  const find = (pool: MapNode) => pools.findIndex((other) => sameSubnet(other, pool))
  for (const original of base.items) {
    let current = asPool(original, path)
    for (const item of over.items) {
      const pool = asPool(item, path)
      if (!sameSubnet(pool, current) && find(pool) === -1) {
        pools.push(pool)
        continue
      }
      const before = pools.indexOf(current)
      current = mergeMaps(current, pool, { ...ways, rules: undefined }, path)
      if (before !== -1) pools[before] = current
      const index = find(current)
      if (index === -1) pools.push(current)
      else pools[index] = current
    }
  }
  return list(pools, over.place)
}

function asPool(node: Node, path: Path): MapNode {
  if (node.kind === 'map') return node
  throw failure(node.place, `${path.join('.')} must be a list of mappings`)
}

function sameSubnet(a: MapNode, b: MapNode): boolean {
  const [left, right] = [a.entries.get('subnet'), b.entries.get('subnet')]
  return left === undefined || right === undefined ? left === right : sameNode(left, right)
}
