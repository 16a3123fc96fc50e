/** A resolved Compose model as text, in the very form in which docker compose prints it. */
import { canonical, isList, isRecord, type Json, type JsonRecord } from '#model/json.ts'
import type { Loaded } from '#formats/compose/load/load.ts'
import { orderedSections } from '#formats/compose/canonical/ordered-json.ts'
import { budget } from '#formats/template/budget.ts'
import { compareKeys } from '#formats/template/yaml/key-order.ts'
import type { YamlTree } from '#formats/template/yaml/tree.ts'
import { writeYaml } from '#formats/template/yaml/write.ts'
import { defined } from '#model/defined.ts'

type Printing = { readonly format: 'json' | 'yaml'; readonly interpolates: boolean }

/** Dollar signs of what was interpolated are doubled, so that the text can be read again. */
export function configText(loaded: Loaded, { format, interpolates }: Printing): string {
  const text = format === 'json' ? jsonText(loaded, interpolates) : yamlText(loaded, interpolates)
  return interpolates ? text.replaceAll('$', () => '$$') : text
}

/** Without interpolation the reference prints plain mappings, which have no order of their own. */
function jsonText(loaded: Loaded, isTyped: boolean): string {
  const model = isTyped ? sorted(shaped(loaded, false)) : allSorted(loaded.printed)
  return JSON.stringify(model, null, 2).replaceAll(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

function yamlText(loaded: Loaded, isTyped: boolean): string {
  const model = isTyped ? inOrder(withoutNothing(shaped(loaded, true))) : allSorted(loaded.printed)
  const limits = { outputBytes: 2 ** 30, steps: 2 ** 30, depth: 10_000 }
  const indent = loaded.release === 2 ? 3 : 4
  return Buffer.from(writeYaml(treeOf(model), indent, budget(limits)), 'latin1')
    .toString('utf8')
    .trimEnd()
}

/** `models` are printed in YAML only. */
function shaped(loaded: Loaded, hasModels: boolean): JsonRecord {
  const project = loaded.project()
  const { models, ...sections } = orderedSections(project)
  return {
    name: project.name,
    ...sections,
    ...(hasModels && models !== undefined ? { models } : {}),
    ...mapped(project.extensions, allSorted),
  }
}

const sections = ['name', 'services', 'networks', 'volumes', 'secrets', 'configs', 'models']

function inOrder(model: JsonRecord): JsonRecord {
  const rest = Object.keys(model).filter((key) => !sections.includes(key))
  const keys = [...sections.filter((key) => key in model), ...rest.toSorted(naturalOrder)]
  return Object.fromEntries(keys.map((key) => [key, defined(model[key])]))
}

/** JSON shows a missing command as null and missing settings as an empty mapping. YAML leaves both out, but writes limits of 0. */
function withoutNothing(model: JsonRecord): JsonRecord {
  const { services, networks } = model
  return {
    ...model,
    ...(isRecord<Json>(services) ? { services: each(services, plainService) } : {}),
    ...(isRecord<Json>(networks)
      ? { networks: each(networks, (one) => without(one, 'ipam')) }
      : {}),
  }
}

function plainService(service: JsonRecord): JsonRecord {
  const { deploy, blkio_config: blkio, develop, ulimits } = service
  return {
    ...without(service, 'command', 'entrypoint'),
    ...(isRecord<Json>(deploy) ? { deploy: without(deploy, 'placement', 'resources') } : {}),
    ...(isRecord<Json>(develop) ? { develop: plainDevelop(develop) } : {}),
    ...(isRecord<Json>(ulimits) ? { ulimits: each(ulimits, (one) => ({ ...zero, ...one })) } : {}),
    ...(isRecord<Json>(blkio) ? { blkio_config: lowered(blkio) } : {}),
  }
}

const zero = { soft: 0, hard: 0 }

function plainDevelop(develop: JsonRecord): JsonRecord {
  return mapped(develop, (rules) => {
    if (!isList<Json>(rules)) return rules
    return rules.map((rule) => (isRecord<Json>(rule) ? withoutIdleHook(rule) : rule))
  })
}

function withoutIdleHook(rule: JsonRecord): JsonRecord {
  const { exec } = rule
  return isRecord<Json>(exec) ? without({ ...rule, exec: without(exec, 'command') }, 'exec') : rule
}

function each(all: JsonRecord, change: (one: JsonRecord) => JsonRecord): JsonRecord {
  return mapped(all, (one) => (isRecord<Json>(one) ? change(one) : one))
}

function mapped(all: JsonRecord, change: (one: Json) => Json): JsonRecord {
  return Object.fromEntries(Object.entries(all).map(([key, one]) => [key, change(one)]))
}

function without(all: JsonRecord, ...names: readonly string[]): JsonRecord {
  function isNothing([key, value]: readonly [string, Json]): boolean {
    if (!names.includes(key)) return false
    return value === null || (isRecord(value) && Object.keys(value).length === 0)
  }
  return Object.fromEntries(Object.entries(all).filter((entry) => !isNothing(entry)))
}

/** `Path` and `Rate` are fields that have a name only in YAML. */
function lowered(blkio: JsonRecord): JsonRecord {
  return mapped(blkio, (value) => (isList<Json>(value) ? value.map(lowerKeys) : value))
}

function lowerKeys(value: Json): Json {
  if (!isRecord<Json>(value)) return value
  const entries = Object.entries(value).map(([key, item]) => [key.toLowerCase(), item])
  return Object.fromEntries(entries)
}

function treeOf(value: Json): YamlTree {
  if (typeof value === 'string') return { kind: 'scalar', text: bytesOf(value), isString: true }
  if (isList<Json>(value)) return { kind: 'list', items: value.map(treeOf) }
  if (!isRecord<Json>(value)) return { kind: 'scalar', text: String(value), isString: false }
  const keys = Object.keys(value)
  const isMapping = keys.every(
    (key, index) => index === 0 || byteOrder(defined(keys[index - 1]), key) < 0,
  )
  const order = isMapping ? keys.toSorted(naturalOrder) : keys
  return { kind: 'map', entries: order.map((key) => [bytesOf(key), treeOf(defined(value[key]))]) }
}

/** The text as bytes, on which the writer works as Go does. */
function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1')
}

function naturalOrder(left: string, right: string): number {
  return compareKeys(bytesOf(left), bytesOf(right), 3)
}

function byteOrder(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

function sorted(model: JsonRecord): JsonRecord {
  const keys = Object.keys(model).toSorted(byteOrder)
  return Object.fromEntries(keys.map((key) => [key, defined(model[key])]))
}

function allSorted<Value extends Json>(value: Value): Value {
  return JSON.parse(canonical(value))
}
