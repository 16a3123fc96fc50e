/** Where a node of the graph leads to. */
import type { GraphNode } from '#model/api.ts'
import { address, withQuery } from '../state/address.ts'
import { appLink } from '../state/links.ts'

export function nodeLink({ id, type, parent }: GraphNode): string {
  if (type === 'app') return appLink(id)
  // what nobody declared is seen in the logs of what made it
  return parent === undefined
    ? withQuery(address.value, { resource: id })
    : withQuery(address.value, { resource: parent, part: 'logs' })
}
