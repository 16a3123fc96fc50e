/** A service's ports written out long: one entry for each port of a range. */
import { wrong, type Context } from './canonical-form.ts'
import { failure } from '../compose-error.ts'
import { int, list, mapOf, text, type MapNode, type Node } from '../yaml/node.ts'
import { parsePorts, type Port } from './port-spec.ts'
import type { Path } from '../merge/path-rules.ts'
import type { SourceLocation } from '../yaml/source.ts'

/** All ports of three protocols; whoever asks for more only wants to fill the memory. */
const mostPorts = 200_000

export function portsForm(node: Node, path: Path, { isLenient }: Context): Node {
  if (node.kind !== 'list') throw wrong(node, path, 'a list')
  const result: Node[] = []
  for (const [index, item] of node.items.entries()) {
    const at = [...path, String(index)]
    if (item.kind === 'map') {
      result.push(item)
      continue
    }
    if (item.kind !== 'int' && item.kind !== 'text')
      throw wrong(item, at, 'text, a port or a mapping')
    const parsed = parsePorts(String(item.value))
    if (typeof parsed === 'string') {
      if (isLenient && item.kind === 'text') return node
      throw failure(item.place, `${at.join('.')}: "${item.value}" is not a port: ${parsed}`)
    }
    for (const port of parsed) result.push(portNode(port, item.place))
    if (result.length > mostPorts) {
      throw failure(
        item.place,
        `${path.join('.')} has more than ${mostPorts} ports`,
        'use smaller ranges',
      )
    }
  }
  return list(result, node.place)
}

function portNode(port: Port, place: SourceLocation): MapNode {
  return mapOf(
    {
      mode: text('ingress', place),
      host_ip: port.hostIp === '' ? undefined : text(port.hostIp, place),
      target: port.target === 0 ? undefined : int(BigInt(port.target), place),
      published: port.published === '' ? undefined : text(port.published, place),
      protocol: text(port.protocol, place),
    },
    place,
  )
}
