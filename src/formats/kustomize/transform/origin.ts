/** Where a resource came from and what changed it, written on it as annotations when `buildMetadata` asks for it. */
import { join } from 'node:path/posix'
import { choices, inDoubleQuotes, inSingleQuotes } from '../print/quoting.ts'
import { resolve } from '../yaml/scalar.ts'
import type { Node } from '../yaml/node.ts'
import { remoteBaseOf } from '../load/remote.ts'
import {
  type Resource,
  annotate,
  annotationOf,
  apiVersionIn,
  kindOf,
  nameIn,
  namespaceIn,
  setTexts,
  textsIn,
} from '../load/resource.ts'

export const originKey = 'config.kubernetes.io/origin'
export const transformationsKey = 'alpha.config.kubernetes.io/transformations'

export type Origin = {
  readonly path?: string
  /** Of another machine, and what of it. */
  readonly repo?: string
  readonly ref?: string
  readonly configuredIn?: string
  readonly configuredBy?: {
    readonly apiVersion: string
    readonly kind: string
    readonly name?: string
    readonly namespace?: string
  }
}

/** The text of the annotation; undefined when there is none. */
export function originOf(node: Node): string | undefined {
  return annotationOf(node, originKey)
}

export function originText(origin: Origin): string {
  return lines(origin)
    .map((line) => `${line}\n`)
    .join('')
}

export function setOrigin(node: Node, origin: string): void {
  setTexts(node, 'annotations', textsIn(node, 'annotations').set(originKey, origin))
}

/** As all transformers of annotations do it: an annotation that is there is kept in its style. */
export function annotateOrigin(node: Node, origin: string): void {
  annotate(node, originKey, origin)
}

/** What was made by it gets it as origin, what was there gets it as one more step. */
export function addTransformation(resource: Resource, origin: Origin): void {
  const { node } = resource
  if (originOf(node) === undefined) return setOrigin(node, originText(origin))
  const before = annotationOf(node, transformationsKey) ?? ''
  const [first, ...rest] = lines(origin)
  const entry = [`- ${first ?? '{}'}`, ...rest.map((line) => `  ${line}`)].join('\n')
  const after = textsIn(node, 'annotations').set(transformationsKey, `${before}${entry}\n`)
  setTexts(node, 'annotations', after)
}

/** A folder from the one that is built, or from the root of its own repository. */
export type OriginFolder = {
  readonly path: string
  readonly repo?: string
  readonly ref?: string
}

export function fileIn({ path, ...from }: OriginFolder, file: string): OriginFolder {
  return { ...from, path: join(path, file) }
}

export function folderIn(folder: OriginFolder, path: string): OriginFolder {
  const base = remoteBaseOf(path)
  if (base === undefined) return fileIn(folder, path)
  const { repository, ref } = base
  return { path: base.folder, repo: repository, ...(ref === '' ? {} : { ref }) }
}

/** What a generator or transformer in a file of its own is called. */
export function originOfPlugin(resource: Resource): Origin | undefined {
  const text = originOf(resource.node)
  if (text === undefined) return undefined
  const said = (name: string) => new Map(pairsIn(text)).get(name)
  const [repo, ref] = [said('repo'), said('ref')]
  const { node } = resource
  return {
    ...(repo === undefined ? {} : { repo }),
    ...(ref === undefined ? {} : { ref }),
    configuredIn: said('path') ?? '',
    configuredBy: {
      apiVersion: apiVersionIn(node),
      kind: kindOf(node),
      name: nameIn(node),
      namespace: namespaceIn(node),
    },
  }
}

function lines(origin: Origin): string[] {
  const by = origin.configuredBy
  const inner =
    by === undefined
      ? []
      : entries([
          ['apiVersion', by.apiVersion],
          ['kind', by.kind],
          ['name', by.name],
          ['namespace', by.namespace],
        ])
  return [
    ...entries([
      ['path', origin.path],
      ['repo', origin.repo],
      ['ref', origin.ref],
      ['configuredIn', origin.configuredIn],
    ]),
    ...(inner.length === 0 ? [] : ['configuredBy:', ...inner.map((line) => `  ${line}`)]),
  ]
}

function entries(pairs: readonly (readonly [string, string | undefined])[]): string[] {
  return pairs.flatMap(([key, value]) => (value ? [`${key}: ${written(value)}`] : []))
}

function written(value: string): string {
  const open = choices(value, 'new')
  if (resolve(value)[0] !== '!!str') return inDoubleQuotes(value)
  if (open.plain) return value
  return open.single ? inSingleQuotes(value) : inDoubleQuotes(value)
}

function pairsIn(text: string): readonly (readonly [string, string])[] {
  return text.split('\n').flatMap((line) => {
    const colon = line.indexOf(': ')
    return colon < 0 ? [] : [[line.slice(0, colon), line.slice(colon + 2)] as const]
  })
}
