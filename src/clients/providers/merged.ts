/** Settings put over a generated configuration: maps field by field, lists of things that have a key by that key, the rest as a whole. */
import { isList, isRecord } from '#model/json.ts'

type Config = Readonly<Record<string, unknown>>

export function mergedOver(base: Config, over: Config): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(over))
    merged[key] = mergedValue(key, merged[key], value)
  return merged
}

function mergedValue(key: string, below: unknown, value: unknown): unknown {
  if (isRecord<unknown>(below) && isRecord<unknown>(value)) return mergedOver(below, value)
  const keyOf = listKeys[key]
  if (keyOf === undefined || !isList(below) || !isList(value)) return value
  return mergedList(below, value, keyOf)
}

/** Lays the n-th item of a key over the n-th item of that key: kind's nodes have no names, only roles. */
function mergedList(
  below: readonly unknown[],
  over: readonly unknown[],
  keyOf: (item: Config) => string,
): readonly unknown[] {
  const merged = [...below]
  const seen = new Map<string, number>()
  for (const item of over) {
    if (!isRecord<unknown>(item)) {
      merged.push(item)
      continue
    }
    const key = keyOf(item)
    const nth = seen.get(key) ?? 0
    seen.set(key, nth + 1)
    const places = below.flatMap((one, place) => {
      return isRecord<unknown>(one) && keyOf(one) === key ? [place] : []
    })
    const place = places[nth]
    const found = place === undefined ? undefined : below[place]
    if (place !== undefined && isRecord<unknown>(found)) merged[place] = mergedOver(found, item)
    else merged.push(item)
  }
  return merged
}

/** Lists of kind's v1alpha4 and k3d's v1alpha5 that have a key. */
const listKeys: Readonly<Record<string, (item: Config) => string>> = {
  nodes: ({ role }) => wordOf(role) || 'control-plane',
  extraPortMappings: ({ containerPort, protocol }) =>
    `${wordOf(containerPort)}/${(wordOf(protocol) || 'TCP').toUpperCase()}`,
  extraMounts: ({ containerPath }) => wordOf(containerPath),
  ports: ({ port }) => containerPortOf(wordOf(port)),
  env: ({ envVar }) => wordOf(envVar).split('=')[0] ?? '',
  volumes: ({ volume }) => wordOf(volume).split(':')[1] ?? wordOf(volume),
  extraArgs: ({ arg }) => wordOf(arg),
}

/** `127.0.0.1:8080:80/tcp` leads to 80/tcp. */
export function containerPortOf(port: string): string {
  const last = port.split(':').at(-1) ?? ''
  return last.includes('/') ? last.toLowerCase() : `${last}/tcp`
}

function wordOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
