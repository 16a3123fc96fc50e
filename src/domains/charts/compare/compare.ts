/** Whether what runs is what is wanted; if not, what differs, and whether it can be mended or must be replaced. */
import { isBelow } from '#domains/containers/changes.ts'
import { compareBy } from '#domains/containers/compare.ts'
import { diffValue } from '#engine/diff/diff.ts'
import { isRecord, type Json } from '#model/json.ts'
import type { Change } from '#model/plan.ts'
import { kindOf } from '#model/ref.ts'
import { isLater, isSealed, type Value } from '#model/value.ts'
import { driftOf } from './drift.ts'

export const compare = compareBy({
  changesOf({ ref, spec }, { recorded }, vault) {
    const ignored = ignoredFields[kindOf(ref)] ?? []
    return withoutMeans(diffValue(spec, recorded?.spec ?? {}, vault, keyOf)).filter(
      ({ path }) => !ignored.some((field) => isBelow(path, field)),
    )
  },
  driftOf,
  written: asWritten,
  shown: inShort,
})

/** A port that comes or goes is told as people write it: `8080:80/tcp`. */
function inShort(change: Change): Change {
  if (!change.path.startsWith('ports[')) return change
  return { ...change, from: portInShort(change.from), to: portInShort(change.to) }
}

function portInShort(value: Change['from']): Change['from'] {
  const isPort = isRecord<Json>(value) && typeof value['containerPort'] === 'number'
  if (!isPort) return value
  const { hostIP, hostPort, containerPort, protocol } = value
  const host = typeof hostIP === 'string' ? `${hostIP}:` : ''
  const from = typeof hostPort === 'number' && hostPort !== 0 ? `${hostPort}:` : ''
  const way = typeof protocol === 'string' ? `/${protocol}` : ''
  return `${host}${from}${Number(containerPort)}${way}`
}

/** How an HTTP check is carried out follows from what it asks: a person wrote only the latter. */
function withoutMeans(changes: readonly Change[]): readonly Change[] {
  const isHttp = changes.some(({ path }) => path.startsWith('health.http'))
  return isHttp ? changes.filter(({ path }) => !path.startsWith('health.test')) : changes
}

/** When to pull is no property of what runs. A volume's labels can't be changed, and are not worth its data. */
const ignoredFields: Readonly<Record<string, readonly string[]>> = {
  container: ['imagePullPolicy'],
  volume: ['labels'],
}

/** Items of lists go by what a person calls them, not by their place. */
function keyOf(path: string, item: Value): string | undefined {
  if (isSealed(item) || isLater(item) || !isRecord<Value>(item)) return undefined
  const text = (field: string): string | undefined =>
    typeof item[field] === 'string' ? item[field] : undefined
  switch (path) {
    case 'ports':
      return typeof item['containerPort'] === 'number' ? portKey(item) : undefined
    case 'networks':
      return text('network')
    case 'mounts':
      return text('path')
    case 'secretFiles':
      return text('target')
    case 'devices':
      return text('container')
    default:
      return undefined
  }
}

/** A published port by its host port, as users know it. */
function portKey(port: { readonly [key: string]: Value }): string {
  const { hostPort, containerPort, protocol } = port
  const known = typeof hostPort === 'number' && hostPort !== 0 ? hostPort : containerPort
  return `${typeof known === 'number' ? known : ''}/${typeof protocol === 'string' ? protocol : ''}`
}

/** Where a volume comes from is a part of its own here; a person wrote its fields flat, or its type. */
function asWritten(path: string): string {
  return path === 'from.kind' ? 'type' : path.replace(/^from\./, '')
}
