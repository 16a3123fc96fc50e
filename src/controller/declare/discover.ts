/** The applications of a tree. What can't be told for sure is refused and left alone; it does not count as gone. */
import { join } from 'node:path/posix'
import { readYaml } from '#formats/yaml/read-yaml.ts'
import { keyOf, type Application } from '#model/application.ts'
import type { Declared, Discovery, SourceDeclared } from '#model/declaration.ts'
import { isRecord, type Json } from '#model/json.ts'
import type { KindDeclaration, Values } from '#model/kind-declaration.ts'
import { factsOf, Problem, type ProblemFacts } from '#model/problem.ts'
import type { Tree } from '#model/tree.ts'
import { above, foldersOf, nestedName, tellingFiles, type Folder } from './folders.ts'
import { badLink, linksOf } from './links.ts'
import { mergedValues, readNested } from './nested.ts'
import { troubleOf } from './written.ts'

/** Is there, but is not touched. */
export type Refused = {
  readonly application: Application
  readonly source: SourceDeclared
  readonly path: string
  readonly problems: readonly ProblemFacts[]
}

export type DiscoveryResult = {
  readonly apps: readonly Declared[]
  readonly refused: readonly Refused[]
  /** All of them, those of refused ones too. */
  readonly problems: readonly ProblemFacts[]
  /** False: there may be more than was found, so that nothing may be taken for gone. */
  readonly isWhole: boolean
}

type One =
  | { readonly declared: Declared }
  | { readonly refused: Refused }
  | { readonly nameless: ProblemFacts }

export function discover(
  discovery: Discovery,
  tree: Tree,
  kinds: readonly KindDeclaration[],
): DiscoveryResult {
  if (tree.list(discovery.path).length === 0) return nothingThere(discovery)
  const taken = new Set<string>()
  const telling = tellingFiles(kinds)
  const ones = foldersOf(discovery, tree, telling).flatMap((folder): One[] => {
    // what lies below an application is a part of it
    if (above(folder.path).some((path) => taken.has(path))) return []
    const one = oneIn(discovery, tree, folder, kinds)
    if (one === undefined) return []
    taken.add(folder.path)
    return [one]
  })
  if (ones.length > mostApplications) return tooMany(discovery, ones.length)
  const apps = ones.flatMap((one) => ('declared' in one ? [one.declared] : []))
  const clashing = clashes(apps)
  const refused = [
    ...ones.flatMap((one) => ('refused' in one ? [one.refused] : [])),
    ...clashing.values(),
  ]
  const nameless = [
    ...ones.flatMap((one) => ('nameless' in one ? [one.nameless] : [])),
    ...unclearLinks(discovery, tree, taken, telling),
  ]
  return {
    apps: apps.filter(({ application }) => !clashing.has(keyOf(application))),
    refused,
    problems: [...nameless, ...refused.flatMap(({ problems }) => problems)],
    isWhole: nameless.length === 0,
  }
}

/** What lies below an application that was found is its own concern. */
function unclearLinks(
  discovery: Discovery,
  tree: Tree,
  taken: ReadonlySet<string>,
  telling: ReadonlySet<string>,
): readonly ProblemFacts[] {
  return linksOf(discovery, tree, telling)
    .filter(({ folder }) => ![...above(folder), folder].some((path) => taken.has(path)))
    .map(({ file }) => badLink(file))
}

function nothingThere({ path, at }: Discovery): DiscoveryResult {
  const message = path === '' ? 'the source is empty' : `there is no folder ${path} in the source`
  const suggestion = 'check path and ref; nothing is removed because of this'
  const problem = troubleOf({ code: 'not_found', message, suggestion, at })
  return { apps: [], refused: [], problems: [problem], isWhole: false }
}

/** Undefined: it is no application. */
function oneIn(
  discovery: Discovery,
  tree: Tree,
  folder: Folder,
  kinds: readonly KindDeclaration[],
): One | undefined {
  const path = join(discovery.path, folder.path)
  try {
    return appIn(discovery, tree, folder, path, kinds)
  } catch (thrown) {
    if (!(thrown instanceof Problem)) throw thrown
    return { nameless: factsOf(thrown) }
  }
}

function appIn(
  discovery: Discovery,
  tree: Tree,
  folder: Folder,
  path: string,
  kinds: readonly KindDeclaration[],
): One | undefined {
  const { isOrigin = false } = discovery
  const matching = matchingIn(folder, isOrigin, kinds)
  const nestedFile = `${path}/${nestedName}`
  const isLarge = folder.names.has(nestedName) && isTooLarge(tree, nestedFile)
  const text = folder.names.has(nestedName) && !isLarge ? textIn(tree, nestedFile) : undefined
  const first = matching[0] ?? (namesFiles(text) ? withFiles(kinds) : undefined)
  if (first === undefined) return undefined

  const { kind, file } = first
  const application = named(discovery, tree, folder, path, first)
  if ('nameless' in application) return application
  const nested = text === undefined ? nothing : readNested({ path: nestedFile, text }, kind, kinds)
  const problems = [
    ...nested.problems,
    ...(isLarge ? [tooLarge(nestedFile)] : []),
    ...(matching.length > 1 ? [severalKinds(path, matching)] : []),
  ]
  if (problems.length > 0)
    return { refused: { application, source: discovery.source, path, problems } }
  const own = isOrigin && file !== undefined ? [file] : []
  return {
    declared: {
      application,
      source: discovery.source,
      path,
      files: nested.files ?? own,
      profiles: nested.profiles ?? [],
      values: mergedValues(shared(discovery, kind), nested.values),
      target: discovery.target,
      policy: withoutItself(discovery, application),
      at: discovery.at,
    },
  }
}

type Match = {
  readonly kind: KindDeclaration
  /** That tells of it; undefined: only the tend.yaml beside it does. */
  readonly file: string | undefined
}

function matchingIn(
  { names }: Folder,
  isOrigin: boolean,
  kinds: readonly KindDeclaration[],
): readonly Match[] {
  return kinds.flatMap((kind) => {
    const files = isOrigin ? kind.discovery?.originFiles : kind.discovery?.files
    const file = files?.find((one) => names.has(one))
    return file === undefined ? [] : [{ kind, file }]
  })
}

/** Of the kind whose files a tend.yaml may name. */
function withFiles(kinds: readonly KindDeclaration[]): Match | undefined {
  const kind = kinds.find(({ fields }) => fields.includes('files'))
  return kind && { kind, file: undefined }
}

const nothing = { values: {}, profiles: undefined, files: undefined, problems: [] } as const

function namesFiles(text: string | undefined): boolean {
  if (text === undefined) return false
  const value = readYaml(text).documents[0]?.value
  return isRecord(value) && value['files'] !== undefined
}

function named(
  { prefix }: Discovery,
  tree: Tree,
  folder: Folder,
  path: string,
  { kind: { kind, discovery }, file = '' }: Match,
): Application | { readonly nameless: ProblemFacts } {
  const main = `${path}/${file}`
  const isInside = discovery?.isNamedInside === true
  if (isInside && isTooLarge(tree, main)) return { nameless: tooLarge(main) }
  const name = discovery?.nameFrom(folder.path, isInside ? (textIn(tree, main) ?? '') : '')
  if (name !== undefined) return { kind, namespace: null, name: `${prefix}${name}` }
  const at = isInside ? { file: main, line: 1, column: 1 } : undefined
  const fault = discovery?.unnamed(path) ?? { message: `${path} has no name` }
  return { nameless: troubleOf({ ...fault, at }) }
}

function severalKinds(path: string, matching: readonly Match[]): ProblemFacts {
  const message = `${path} holds both ${matching.map(({ file }) => file).join(' and ')}`
  const words = matching.map(({ kind }) => `as ${kind.kind}:`).join(' or ')
  const suggestion = `declare it under apps, ${words}, with path: ${path}`
  return troubleOf({ message, suggestion })
}

/** Where variables are texts, what is meant for others is not for it. */
function shared({ values }: Discovery, { hasTextValues }: KindDeclaration): Values {
  if (!hasTextValues) return values
  const texts: Record<string, Json> = {}
  for (const [name, value] of Object.entries(values)) {
    if (value === null) texts[name] = ''
    else if (typeof value !== 'object') texts[name] = String(value)
  }
  return texts
}

function withoutItself({ policy }: Discovery, application: Application): Discovery['policy'] {
  const key = keyOf(application)
  if (!policy.dependsOn.includes(key)) return policy
  return { ...policy, dependsOn: policy.dependsOn.filter((one) => one !== key) }
}

/** Folders that give one name: refused all, since each would undo the other. */
function clashes(apps: readonly Declared[]): ReadonlyMap<string, Refused> {
  const groups = Map.groupBy(apps, ({ application }) => keyOf(application))
  const found = new Map<string, Refused>()
  for (const [key, group] of groups) {
    const [first] = group
    if (group.length < 2 || first === undefined) continue
    const paths = group.map(({ path }) => path)
    const message = `${key} is the name of several folders: ${paths.join(', ')}`
    const suggestion = 'rename all but one, or declare them under apps with names of their own'
    const problem = troubleOf({ code: 'duplicate_name', message, suggestion, at: first.at })
    const { application, source, path } = first
    found.set(key, { application, source, path, problems: [problem] })
  }
  return found
}

/** One repository could else fill the service with applications: each is looked at in every turn, and stands in every list. */
const mostApplications = 5_000

function tooMany({ path, at }: Discovery, count: number): DiscoveryResult {
  const message = `${path === '' ? 'the source' : path} holds ${count} applications, more than ${mostApplications}`
  const suggestion = 'look for them in several parts, each with a path of its own'
  return {
    apps: [],
    refused: [],
    problems: [troubleOf({ message, suggestion, at })],
    isWhole: false,
  }
}

/** What tells of an application is short: nobody reads a megabyte to learn a name. */
const mostBytes = 256 * 1024

function isTooLarge(tree: Tree, path: string): boolean {
  return (tree.sizeOf?.(path) ?? 0) > mostBytes
}

function tooLarge(file: string): ProblemFacts {
  return troubleOf({
    code: 'too_large',
    message: `${file} is larger than ${mostBytes / 1024} KB`,
    suggestion: 'make it smaller; until then nothing of it is read',
    at: { file, line: 1, column: 1 },
  })
}

function textIn(tree: Tree, path: string): string | undefined {
  const content = tree.read(path)
  return content === undefined ? undefined : new TextDecoder().decode(content)
}
