/** The values of variables that lists, configs and secrets name without giving them. */
import { list, map, mapAt, text, withEntry, type MapNode, type Node } from '../yaml/node.ts'
import type { Environment } from './session.ts'
import { defined } from '#model/defined.ts'

/** Where a secret's value waits; it never leaves the loader in a printed model. */
export const secretValue = 'x-#value'

export function resolveSources(root: MapNode, environment: Environment): MapNode {
  const services = eachIn(root, 'services', (service) => resolveService(service, environment))
  const secrets = eachIn(services, 'secrets', (secret) =>
    withValue(secret, secretValue, environment),
  )
  return eachIn(secrets, 'configs', (config) => withValue(config, 'content', environment))
}

function eachIn(root: MapNode, section: string, change: (entry: MapNode) => MapNode): MapNode {
  const found = mapAt(root, section)
  if (found === undefined) return root
  const entries = new Map<string, Node>()
  for (const [name, node] of found.entries)
    entries.set(name, node.kind === 'map' ? change(node) : node)
  return withEntry(root, section, map(entries, found.place))
}

function resolveService(service: MapNode, environment: Environment): MapNode {
  const variables = service.entries.get('environment')
  if (variables?.kind !== 'list') return service
  const items = variables.items.map((item) => {
    const value = item.kind === 'text' ? environment.get(item.value) : undefined
    return item.kind === 'text' && value !== undefined
      ? text(`${item.value}=${value}`, item.place)
      : item
  })
  return withEntry(service, 'environment', list(items, variables.place))
}

function withValue(resource: MapNode, key: string, environment: Environment): MapNode {
  const name = resource.entries.get('environment')
  const value = name?.kind === 'text' ? environment.get(name.value) : undefined
  return value === undefined ? resource : withEntry(resource, key, text(value, defined(name).place))
}
