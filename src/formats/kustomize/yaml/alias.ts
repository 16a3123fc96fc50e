/** Puts what an alias stands for in its place, and merge keys into their map, so that no later step meets either. */
import { KustomizeError } from '../error.ts'
import { type Node, copyOf, overwrite } from './node.ts'
import { defined } from '#model/defined.ts'

/** More than any honest file needs; a few nested aliases can stand for billions of nodes. */
const limit = 1_000_000

export function unaliased(root: Node, file: string): Node {
  const made = { count: 0 }
  return settle(root, { file, made, open: new Set() })
}

type Context = {
  readonly file: string
  readonly made: { count: number }
  /** Nodes that are being worked on: an alias to one of them would never end. */
  readonly open: Set<Node>
}

function settle(node: Node, context: Context): Node {
  if (node.tag === '*') return standIn(node, context)
  if (node.kind === 'scalar') return node
  context.open.add(node)
  if (node.kind === 'map') mergeKeys(node, context)
  node.content = node.content.map((item) => settle(item, context))
  context.open.delete(node)
  return node
}

function standIn(alias: Node, context: Context): Node {
  const meant = defined(alias.content[0])
  if (context.open.has(meant)) stop('an alias stands for a node that contains it', alias, context)
  const copy = copyOf(settle(meant, context))
  context.made.count += sizeOf(copy)
  if (context.made.count > limit) stop('aliases stand for too much', alias, context)
  return copy
}

function mergeKeys(map: Node, context: Context): void {
  const at = map.content.findIndex((key, i) => i % 2 === 0 && key.tag === '!!merge')
  if (at < 0) return
  const again = map.content.findIndex((key, i) => i > at && i % 2 === 0 && key.tag === '!!merge')
  if (again >= 0) stop('a map has two merge keys', defined(map.content[again]), context)
  const given = merged(defined(map.content[at + 1]), context)
  const own = map.content.toSpliced(at, 2)
  const result: Node = { ...map, content: own.map(shallow) }
  for (const source of [...given, { ...map, content: own }]) {
    for (let i = 0; i < source.content.length; i += 2) {
      put(result, shallow(defined(source.content[i])), shallow(defined(source.content[i + 1])))
    }
  }
  overwrite(map, result)
}

/** The maps to merge, weakest first. */
function merged(value: Node, context: Context): Node[] {
  if (value.tag === '*') {
    const meant = defined(value.content[0])
    if (meant.kind !== 'map')
      stop('a merge key stands for something that is no map', value, context)
    if (context.open.has(meant)) stop('a merge key stands for its own map', value, context)
    return [copyOf(settle(meant, context))]
  }
  if (value.kind === 'map') return [value]
  if (value.kind === 'list') {
    return value.content.toReversed().flatMap((item) => {
      if (item.kind === 'list') stop('a merge key holds a list in a list', item, context)
      return merged(item, context)
    })
  }
  return stop('a merge key needs a map or a list of maps', value, context)
}

function put(map: Node, key: Node, value: Node): void {
  for (let i = 0; i < map.content.length; i += 2) {
    if (defined(map.content[i]).value !== key.value) continue
    map.content[i] = key
    map.content[i + 1] = value
    return
  }
  map.content.push(key, value)
}

/** An alias keeps pointing at what it means; everything else is copied whole. */
function shallow(node: Node): Node {
  if (node.tag === '*') return { ...node }
  return { ...node, content: node.content.map(shallow) }
}

function sizeOf(node: Node): number {
  let size = 1
  for (const item of node.content) size += sizeOf(item)
  return size
}

function stop(reason: string, node: Node, context: Context): never {
  throw new KustomizeError(reason, { file: context.file, line: node.line })
}
