/** ConfigMaps and Secrets made from literals, files and env files, and how they join what is there. */
import { KustomizeError, fail } from '../error.ts'
import { basename } from 'node:path/posix'
import { clearField, field, lookupCreate, setField } from '../yaml/fields.ts'
import { keyOf, nameOf } from '../names/id.ts'
import type { Loader } from '../load/loader.ts'
import { type Node, emptyNode, literal, scalar, singleQuoted, text } from '../yaml/node.ts'
import { originOf, setOrigin } from '../transform/origin.ts'
import { byBytes } from '../yaml/plain.ts'
import { resourceOf } from '../load/read-resources.ts'
import { type ResourceSet, append, findByAnyId, replace } from '../load/resource-set.ts'
import {
  type Resource,
  type Texts,
  annotationOf,
  currentId,
  nameIn,
  namespaceIn,
  note,
  notes,
  removedAtTheEnd,
  setName,
  setNamespace,
  setTexts,
  textsIn,
} from '../load/resource.ts'
import type { Schemas } from '../load/schemas.ts'
import type { GeneratorArgs, GeneratorOptions } from '../load/settings.ts'
import { defined } from '#model/defined.ts'

export function generate(
  kind: 'ConfigMap' | 'Secret',
  args: GeneratorArgs,
  context: {
    readonly loader: Loader
    readonly schemas: Schemas
    readonly file: string
    readonly line?: number
  },
): Resource {
  const node: Node = { ...emptyNode('map'), tag: '!!map', line: context.line ?? 1 }
  setField(node, 'apiVersion', scalar('v1', '!!str'))
  setField(node, 'kind', scalar(kind, '!!str'))
  if (!args.name) fail(`a generated ${kind} needs a name`)
  setField(lookupCreate(node, 'map', ['metadata']), 'name', text(defined(args.name)))
  if (args.namespace) setField(defined(field(node, 'metadata')), 'namespace', text(args.namespace))
  if (kind === 'Secret') setField(node, 'type', text(args.type || 'Opaque'))
  fillData(node, kind, args, context.loader)
  addOptions(node, args.options)
  const resource = resourceOf(node, context.file, context.schemas)
  if (args.options?.disableNameSuffixHash !== true) note(resource, notes.needsHash)
  note(resource, notes.behavior, behaviorOf(args.behavior))
  return resource
}

type Behavior = 'create' | 'merge' | 'replace' | 'unspecified'

function behaviorOf(name: string | undefined): Behavior {
  return name === 'create' || name === 'merge' || name === 'replace' ? name : 'unspecified'
}

function fillData(
  node: Node,
  kind: 'ConfigMap' | 'Secret',
  args: GeneratorArgs,
  loader: Loader,
): void {
  const data = dataOf(args, loader)
  if (kind === 'Secret') lookupCreate(node, 'map', ['data'])
  for (const key of [...data.keys()].toSorted(byBytes)) {
    const bytes = defined(data.get(key))
    const words = kind === 'Secret' ? undefined : asText(bytes)
    const name = words === undefined && kind === 'ConfigMap' ? 'binaryData' : 'data'
    const value = words ?? base64(bytes)
    setField(lookupCreate(node, 'map', [name]), key, dataNode(value))
  }
}

function dataNode(value: string): Node {
  return scalar(value, '!!str', value.includes('\n') ? literal : 0)
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function asText(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes)
  } catch {
    // what is no UTF-8 becomes binaryData
    return undefined
  }
}

/** Seventy letters a line, as soon as there is more than one line of them. */
function base64(bytes: Uint8Array): string {
  const all = Buffer.from(bytes).toString('base64')
  if (all.length < 70) return all
  return `${(all.match(/.{1,70}/g) ?? []).join('\n')}\n`
}

function dataOf(args: GeneratorArgs, loader: Loader): Map<string, Uint8Array> {
  const pairs = [
    ...(args.envs ?? []).flatMap((path) => envPairs(path, loader)),
    ...(args.literals ?? []).map(literalPair),
    ...(args.files ?? []).map((source) => filePair(source, loader)),
  ]
  const data = new Map<string, Uint8Array>()
  for (const [key, value] of pairs) {
    if (data.has(key)) fail(`${args.name} has the key ${key} twice`)
    data.set(key, value)
  }
  return data
}

type Pair = readonly [key: string, value: Uint8Array]

function literalPair(source: string): Pair {
  const at = source.indexOf('=')
  if (at <= 0) fail(`the literal ${JSON.stringify(source)} has not the form key=value`)
  const value = source.slice(at + 1)
  const isQuoted = value.length > 1 && /^["']/.test(value) && value[0] === value.at(-1)
  return [source.slice(0, at), Buffer.from(isQuoted ? value.slice(1, -1) : value)]
}

function filePair(source: string, loader: Loader): Pair {
  const parts = source.split('=')
  if (parts.length === 1) return [basename(source), loader.bytes(source)]
  if (parts.length > 2) fail(`${JSON.stringify(source)} has more than one =`)
  const [key, path] = parts
  if (key === '' || path === '') fail(`${JSON.stringify(source)} has not the form key=path`)
  return [defined(key), loader.bytes(defined(path))]
}

function envPairs(path: string, loader: Loader): Pair[] {
  const content = asText(loader.bytes(path)) ?? fail(`${path} is not UTF-8`)
  const pairs: Pair[] = []
  for (const [i, raw] of content.split('\n').entries()) {
    const whole = raw.endsWith('\r') ? raw.slice(0, -1) : raw
    const line = (i === 0 ? whole.replace(/^\ufeff/, '') : whole).replace(/^[\s\u0085]+/, '')
    if (line === '' || line.startsWith('#')) continue
    const at = line.indexOf('=')
    const key = at < 0 ? line : line.slice(0, at)
    if (key !== '') pairs.push([key, Buffer.from(at < 0 ? '' : line.slice(at + 1))])
  }
  return pairs
}

function addOptions(node: Node, options: GeneratorOptions | undefined): void {
  for (const name of ['labels', 'annotations'] as const) {
    const texts = options?.[name]
    for (const key of [...(texts?.keys() ?? [])].toSorted(byBytes)) {
      const map = lookupCreate(node, 'map', ['metadata', name])
      setField(map, key, { ...text(defined(defined(texts).get(key))), style: singleQuoted })
    }
  }
  if (options?.immutable === true) setField(node, 'immutable', scalar('true', '!!bool'))
}

/** Settings of all generators; those of one win. */
export function withGlobalOptions(
  own: GeneratorOptions | undefined,
  global: GeneratorOptions | undefined,
): GeneratorOptions | undefined {
  if (global === undefined) return own
  const both = { ...own }
  if (global.labels)
    Object.assign(both, { labels: new Map([...global.labels, ...(own?.labels ?? [])]) })
  if (global.annotations) {
    const annotations = new Map([...global.annotations, ...(own?.annotations ?? [])])
    Object.assign(both, { annotations })
  }
  return {
    ...both,
    disableNameSuffixHash:
      own?.disableNameSuffixHash === true || global.disableNameSuffixHash === true,
    immutable: own?.immutable === true || global.immutable === true,
  }
}

/** Adds what was generated, or lets it merge with or replace what has its name. */
export function addGenerated(set: ResourceSet, made: Resource): void {
  const id = currentId(made)
  const found = findByAnyId(set, keyOf(id))
  const behavior = behaviorOf(annotationOf(made.node, notes.behavior))
  const isJoining = behavior === 'merge' || behavior === 'replace'
  if (found.length > 1) {
    throw new KustomizeError(`several resources could take ${nameOf(id)}`, made.place)
  }
  const [old] = found
  if (old === undefined) {
    if (isJoining) {
      throw new KustomizeError(`there is no ${nameOf(id)} to ${behavior}`, made.place)
    }
    return append(set, made)
  }
  if (!isJoining) {
    const hint = 'its behavior must be merge or replace'
    throw new KustomizeError(`${nameOf(id)} is there already; ${hint}`, made.place)
  }
  const origin = originOf(old.node)
  takeMetadata(made, old)
  if (behavior === 'merge') {
    for (const name of ['data', 'binaryData']) mergeData(made.node, old.node, name)
    if (origin !== undefined) setOrigin(made.node, origin)
  }
  replace(set, old, made)
}

/** Name, namespace and notes of the old one; its labels and annotations where the new one has none. */
function takeMetadata(made: Resource, old: Resource): void {
  const { node } = made
  setTexts(node, 'labels', merged(textsIn(old.node, 'labels'), textsIn(node, 'labels')))
  const [before, own] = [textsIn(old.node, 'annotations'), textsIn(node, 'annotations')]
  const annotations = merged(before, own)
  for (const name of removedAtTheEnd) {
    const kept = before.get(name)
    if (kept === undefined) annotations.delete(name)
    else annotations.set(name, kept)
  }
  if (!own.has(notes.needsHash)) annotations.delete(notes.needsHash)
  setTexts(node, 'annotations', annotations)
  setName(node, nameIn(old.node))
  setNamespace(node, namespaceIn(old.node))
  made.varNames = old.varNames
}

function merged(one: Texts, other: Texts): Texts {
  return new Map([...one, ...other])
}

function mergeData(node: Node, old: Node, name: string): void {
  const all = merged(textsOf(field(old, name)), textsOf(field(node, name)))
  clearField(node, name)
  for (const key of [...all.keys()].toSorted(byBytes)) {
    setField(lookupCreate(node, 'map', [name]), key, dataNode(defined(all.get(key))))
  }
}

function textsOf(map: Node | undefined): Texts {
  const texts: Texts = new Map()
  if (map?.kind !== 'map') return texts
  for (let i = 0; i < map.content.length; i += 2) {
    const value = defined(map.content[i + 1])
    texts.set(defined(map.content[i]).value, value.tag === '!!null' ? '' : value.value)
  }
  return texts
}
