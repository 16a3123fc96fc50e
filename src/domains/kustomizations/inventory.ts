/** Flux's inventory: what a set consists of, as `status.inventory.entries` writes it. */
import { recordsOf, recordOf, textOf } from '#model/read-json.ts'
import type { Json, JsonRecord } from '#model/json.ts'
import type { Resource } from '#model/resource.ts'
import { nameOfObject, type ObjectName } from './object.ts'

const roles = 'rbac.authorization.k8s.io'

export function inventoryOf(resources: readonly Resource[]): readonly JsonRecord[] {
  return resources.map(({ spec }) => entryOf(nameOfObject(spec)))
}

/** Names of roles may hold what an id may not. */
export function entryOf({ namespace, name, group, kind, apiVersion }: ObjectName): JsonRecord {
  const shown = group === roles ? name.replaceAll(':', '__') : name
  const v = apiVersion.slice(apiVersion.indexOf('/') + 1)
  return { id: `${namespace}_${shown}_${group}_${kind}`, v }
}

/** Of a `status.inventory`; what can't be read is left out. */
export function namesIn(inventory: Json): readonly ObjectName[] {
  return recordsOf(recordOf(inventory)['entries']).flatMap((entry) => {
    const match = /^([^_]*)_(.+)_([^_]*)_([^_]+)$/.exec(textOf(entry['id']))
    if (match === null) return []
    const [, namespace = '', shown = '', group = '', kind = ''] = match
    const name = group === roles ? shown.replaceAll('__', ':') : shown
    const version = textOf(entry['v'])
    const apiVersion = group === '' ? version : `${group}/${version}`
    return [{ apiVersion, group, kind, namespace, name }]
  })
}
