/** The part of a live object that one manager applied: what would have to be applied to be back there. */
import { recordOf, recordsOf, textOf } from '#model/read-json.ts'
import { canonical, isList, isRecord, type Json, type JsonRecord } from '#model/json.ts'

/** The managed fields of our last apply, as the server keeps them; nothing when we never applied it. */
export function ownEntry(object: JsonRecord, manager: string): JsonRecord | undefined {
  const entries = recordsOf(recordOf(object['metadata'])['managedFields'])
  const own = entries.find((entry) => {
    const isWhole = textOf(entry['subresource']) === ''
    return entry['manager'] === manager && entry['operation'] === 'Apply' && isWhole
  })
  return own === undefined ? undefined : recordOf(own['fieldsV1'])
}

/** The part of an object that a set of managed fields names. */
export function partWith(object: JsonRecord, fields: JsonRecord): JsonRecord {
  const { apiVersion = null, kind = null } = object
  const { name = null, namespace } = recordOf(object['metadata'])
  const part = recordOf(partOf(object, fields))
  return {
    ...part,
    apiVersion,
    kind,
    metadata: { ...recordOf(part['metadata']), name, ...(namespace ? { namespace } : {}) },
  }
}

/**
 * `f:name` is a field, `k:{…}` a list's item by its keys, `v:…` an item by its value, `.` the thing itself. What has no
 * further names in it is owned whole.
 */
function partOf(live: Json, fields: JsonRecord): Json {
  const names = Object.keys(fields).filter((name) => name !== '.')
  if (names.length === 0) return Object.hasOwn(fields, '.') ? emptied(live) : live
  if (isList<Json>(live)) {
    return names.flatMap((name) => {
      const item = itemOf(live, name)
      return item === undefined ? [] : [withKeys(partOf(item, recordOf(fields[name])), name)]
    })
  }
  if (!isRecord<Json>(live)) return live
  const part: Record<string, Json> = {}
  for (const name of names) {
    const key = name.slice(2)
    const value = live[key]
    if (name.startsWith('f:') && value !== undefined)
      part[key] = partOf(value, recordOf(fields[name]))
  }
  return part
}

function emptied(live: Json): Json {
  if (isList<Json>(live)) return []
  return isRecord<Json>(live) ? {} : live
}

function itemOf(list: readonly Json[], name: string): Json | undefined {
  if (name.startsWith('v:')) {
    const wanted = canonical(parsed(name.slice(2)))
    return list.find((item) => canonical(item) === wanted)
  }
  const keys = Object.entries(recordOf(parsed(name.slice(2))))
  return list.find((item) => {
    const fields = recordOf(item)
    return keys.every(([key, value]) => canonical(fields[key] ?? null) === canonical(value))
  })
}

/** An item is told by its keys, whether or not they are said to be owned. */
function withKeys(item: Json, name: string): Json {
  if (!name.startsWith('k:') || !isRecord<Json>(item)) return item
  return { ...recordOf(parsed(name.slice(2))), ...item }
}

function parsed(text: string): Json {
  const value: Json = JSON.parse(text)
  return value
}
