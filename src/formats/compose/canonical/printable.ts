/** What `config` prints of a project that is not interpolated. */
import { isObject, map, mapAt, toJson, withEntry, withoutEntry } from '../yaml/node.ts'
import type { JsonObject, MapNode, Node } from '../yaml/node.ts'
import type { Release } from './release.ts'
import { secretValue } from '../load/resolve-sources.ts'

/** The model as it stands when nothing is interpolated, without the values of secrets. */
export function printable(root: MapNode, release: Release): JsonObject {
  const secrets = mapAt(root, 'secrets')
  const hidden = new Map<string, Node>()
  for (const [name, secret] of secrets?.entries ?? []) {
    hidden.set(name, secret.kind === 'map' ? withoutEntry(secret, secretValue) : secret)
  }
  const shown =
    secrets === undefined ? root : withEntry(root, 'secrets', map(hidden, secrets.place))
  const json = toJson(shown, release)
  return isObject(json) ? json : {}
}
