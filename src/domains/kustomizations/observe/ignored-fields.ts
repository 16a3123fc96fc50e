/** Fields that the spec says are not ours to set: left to who applies them, else as they are now. */
import { recordOf, recordsOf, textOf } from '#model/read-json.ts'
import { metadataOf } from '#formats/manifest/metadata.ts'
import { PatternError } from '#formats/regexp/error.ts'
import { goRegExp } from '#formats/regexp/go-regexp.ts'
import { canonical, isList, isRecord, type Json, type JsonRecord } from '#model/json.ts'
import type { Value } from '#model/value.ts'
import { matchesSelector } from './label-selector.ts'
import { manager, nameOfObject } from '../object.ts'
import type { IgnoreRule, Selector } from '../apply-options.ts'
import { defined } from '#model/defined.ts'

/** Paths of the rules that select the object. */
export function ignoredPaths(
  rules: readonly IgnoreRule[],
  object: Value,
): readonly (readonly string[])[] {
  return rules
    .filter(({ target }) => target === undefined || isSelected(target, object))
    .flatMap(({ paths }) => paths.map(segmentsOf))
    .filter((path) => path.length > 0)
}

/** What is to be applied over what is there. Without anything there it is applied as it is declared. */
export function withoutIgnored<Body extends Value>(
  body: Body,
  live: JsonRecord | undefined,
  paths: readonly (readonly string[])[],
): Body | Value {
  if (live === undefined) return body
  let result: Value = body
  for (const path of paths) {
    const value = isAppliedByOther(live, path) ? undefined : valueAt(live, path)
    result = withValue(result, path, value)
  }
  return result
}

function isSelected(selector: Selector, object: Value): boolean {
  const { apiVersion, group, kind, namespace, name } = nameOfObject(object)
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1)
  const texts = { group, version, kind, namespace, name }
  for (const key of ['group', 'version', 'kind', 'namespace', 'name'] as const) {
    const wanted = selector[key]
    if (wanted && !isWhole(wanted, texts[key])) return false
  }
  const { labels, annotations } = metadataOf(recordOf(object))
  return (
    matchesSelector(selector.labelSelector ?? '', labels) &&
    matchesSelector(selector.annotationSelector ?? '', annotations)
  )
}

/** A pattern that Go refuses selects nothing: then nothing is left out of what is applied. */
function isWhole(pattern: string, text: string): boolean {
  if (/^[\w-]+$/.test(pattern)) return pattern === text
  try {
    return goRegExp(`^(?:${pattern})$`).test(text)
  } catch (error) {
    if (error instanceof PatternError) return false
    throw error
  }
}

/** A JSON pointer. */
function segmentsOf(pointer: string): readonly string[] {
  const parts = pointer.split('/').slice(1)
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function valueAt(object: Json, path: readonly string[]): Json | undefined {
  let value: Json | undefined = object
  for (const key of path) {
    if (isList<Json>(value)) value = value[Number(key)]
    else value = isRecord<Json>(value) ? value[key] : undefined
  }
  return value
}

/** Undefined takes it away. What is not declared around it is not made for its sake. */
function withValue(object: Value, path: readonly string[], value: Json | undefined): Value {
  const [key = '', ...rest] = path
  if (isList<Value>(object)) {
    const index = Number(key)
    if (!(index >= 0 && index < object.length)) return object
    if (rest.length === 0 && value === undefined) return object.toSpliced(index, 1)
    return object.with(
      index,
      rest.length === 0 ? defined(value) : withValue(defined(object[index]), rest, value),
    )
  }
  if (!isRecord<Value>(object)) return object
  const fields: Readonly<Record<string, Value>> = { ...object }
  if (rest.length > 0) {
    const inside = fields[key]
    return inside === undefined ? object : { ...fields, [key]: withValue(inside, rest, value) }
  }
  if (value !== undefined) return { ...fields, [key]: value }
  const { [key]: _, ...others } = fields
  return others
}

function isAppliedByOther(live: JsonRecord, path: readonly string[]): boolean {
  const entries = recordsOf(recordOf(live['metadata'])['managedFields'])
  return entries.some((entry) => {
    if (entry['operation'] !== 'Apply' || entry['manager'] === manager) return false
    return textOf(entry['subresource']) === '' && has(recordOf(entry['fieldsV1']), live, path)
  })
}

/** Whether a set of managed fields has the path, or something within it. */
function has(fields: JsonRecord, live: Json | undefined, path: readonly string[]): boolean {
  const [key, ...rest] = path
  if (key === undefined) return true
  if (!isList<Json>(live)) {
    const inside = fields[`f:${key}`]
    if (inside === undefined) return false
    const { length } = Object.keys(recordOf(inside))
    return length === 0 || has(recordOf(inside), isRecord<Json>(live) ? live[key] : undefined, rest)
  }
  const item = live[Number(key)]
  const name = Object.keys(fields).find((each) => isNameOf(each, item))
  return name !== undefined && has(recordOf(fields[name]), item, rest)
}

function isNameOf(name: string, item: Json | undefined): boolean {
  if (item === undefined) return false
  if (name.startsWith('v:')) return name.slice(2) === JSON.stringify(item)
  if (!name.startsWith('k:')) return false
  const keys = Object.entries(recordOf(JSON.parse(name.slice(2))))
  const fields = recordOf(item)
  return keys.every(([key, value]) => canonical(fields[key] ?? null) === canonical(value))
}
