/** One kustomization with all it builds on: resources, then generators, components, transformers, validators, vars. */
import { configFromCrds, configured } from './configurations.ts'
import type { EntryLine } from './entry-lines.ts'
import { KustomizeError, type FileLine, at, fail } from '../error.ts'
import { addGenerated } from '../generate/generate.ts'
import type { Kustomization } from './kustomization.ts'
import { readKustomization } from './kustomization.ts'
import { type Loader, shown } from './loader.ts'
import {
  type Origin,
  type OriginFolder,
  addTransformation,
  annotateOrigin,
  fileIn,
  folderIn,
  originOf,
  originOfPlugin,
  originText,
  setOrigin,
} from '../transform/origin.ts'
import { parseOne } from '../yaml/parse.ts'
import { plainOfSettings } from '../yaml/plain.ts'
import { pluginGenerator, pluginTransformer } from '../generate/plugins.ts'
import { readResources } from './read-resources.ts'
import { type ResourceSet, append, appendAll, dropGone, emptySet, touch } from './resource-set.ts'
import type { Schemas } from './schemas.ts'
import { builtInGenerators, builtInTransformers, keepingIds } from './steps.ts'
import type { SecretUse } from '../transform/secret-values.ts'
import {
  type TransformerConfig,
  emptyConfig,
  mergeConfigs,
} from '../transform/transformer-config.ts'
import { validated } from '../transform/validators.ts'
import { type Vars, claimVars, mergeVars } from '../transform/vars.ts'

/** What a kustomization adds up to. */
type Accumulated = { set: ResourceSet; config: TransformerConfig; vars: Vars }

export type Target = {
  readonly loader: Loader
  readonly schemas: Schemas
  readonly kustomization: Kustomization
  readonly lineOf: EntryLine
  /** The kustomization file, as a path from the root of all files, and its bare name. */
  readonly file: string
  readonly fileName: string
  /** The folder from the one that is built; undefined when nobody asked for origins. */
  readonly originPath: OriginFolder | undefined
  readonly warnings: string[]
  readonly secrets: SecretUse
  /** How many of the patches stand in the file; the others were laid over it. */
  readonly ownPatches?: number
}

const fileNames = ['kustomization.yaml', 'kustomization.yml', 'Kustomization']

export function loadTarget(
  loader: Loader,
  rest: Pick<Target, 'schemas' | 'warnings' | 'secrets' | 'originPath'>,
  mayBeEmpty = false,
): Target {
  const found = fileNames.filter((name) => loader.has(name))
  const [fileName] = found
  if (fileName === undefined) {
    return fail(
      `there is no kustomization.yaml, kustomization.yml or Kustomization in ${shown(loader.root)}`,
    )
  }
  if (found.length > 1) fail(`${shown(loader.root)} has ${found.join(' and ')}; only one can count`)
  const file = loader.pathOf(fileName)
  const { kustomization, lineOf, warnings } = readKustomization(
    loader.text(fileName),
    file,
    mayBeEmpty,
  )
  rest.warnings.push(...warnings)
  return { ...rest, loader, kustomization, lineOf, file, fileName }
}

/** Tells the build of the OpenAPI document that a kustomization names. */
export function useOpenApi(target: Target, isRoot: boolean): void {
  const settings = target.kustomization.openapi ?? new Map<string, string>()
  const path = settings.get('path')
  const { loader } = target
  const node =
    path === undefined ? undefined : parseOne(loader.text(path), loader.pathOf(path), 'old')
  const document = node === undefined ? undefined : plainOfSettings(node)
  if (document !== undefined && !(document instanceof Map)) fail(`${path} is no OpenAPI document`)
  target.schemas.use(settings, document instanceof Map ? document : undefined, isRoot)
}

export function newAccumulated(): Accumulated {
  return { set: emptySet(), config: emptyConfig, vars: new Map() }
}

export function accumulate(target: Target, into: Accumulated): Accumulated {
  const { kustomization, loader } = target
  const { configurations = [], components = [], vars = [], crds = [] } = kustomization
  let all = addResources(target, into, kustomization.resources ?? [])
  inField(target, 'configurations', () => {
    all.config = mergeConfigs(all.config, configured(loader, configurations))
  })
  inField(target, 'crds', () => {
    all.config = mergeConfigs(all.config, configFromCrds(loader, crds))
  })
  runGenerators(target, all)
  for (const [i, path] of components.entries()) {
    all = at(placeOf(target, 'components', i), () => addFolder(target, all, path, true))
  }
  runTransformers(target, all)
  runValidators(target, all)
  inField(target, 'vars', () => {
    claimVars(all.set.list, vars)
    all.vars = mergeVars(all.vars, vars)
  })
  return all
}

function inField(target: Target, field: string, work: () => void): void {
  at(placeOf(target, field), work)
}

function placeOf(target: Target, field: string, index?: number): FileLine {
  return { file: target.file, line: target.lineOf(field, index) }
}

/** Each path is a file or a folder with a kustomization. */
function addResources(
  target: Target,
  into: Accumulated,
  paths: readonly string[],
  field = 'resources',
): Accumulated {
  let all = into
  for (const [i, path] of paths.entries()) {
    const problem = at(placeOf(target, field, i), () => addFile(target, all, path))
    if (problem === undefined) continue
    all = at(placeOf(target, field, i), () => {
      if (!isFolder(target.loader, path)) throw nearest(problem, target.loader, path)
      return addFolder(target, all, path, false)
    })
  }
  return all
}

/** The problem, when the path is no file that can be read. What is in a file is nobody else's business. */
function addFile(target: Target, all: Accumulated, path: string): KustomizeError | undefined {
  const { loader, schemas, originPath } = target
  let text: string
  try {
    text = loader.text(path)
  } catch (error) {
    if (error instanceof KustomizeError) return error
    throw error
  }
  for (const resource of readResources(text, loader.pathOf(path), schemas)) {
    if (originPath !== undefined)
      annotateOrigin(resource.node, originText(fileIn(originPath, path)))
    append(all.set, resource)
  }
  return undefined
}

/** Why a file may not be read is beside the point when there is none. */
function nearest(problem: KustomizeError, loader: Loader, path: string): KustomizeError {
  if (problem.needs !== undefined || loader.exists(path)) return problem
  return new KustomizeError(`there is no file or folder ${shown(loader.pathOf(path))}`)
}

function isFolder(loader: Loader, path: string): boolean {
  try {
    loader.enter(path)
    return true
  } catch (error) {
    if (!(error instanceof KustomizeError)) throw error
    const isFinal = /never end|leads out of the repository|leads back to itself/.test(error.reason)
    if (error.needs === 'remote' || isFinal) throw error
    return false
  }
}

function addFolder(
  target: Target,
  into: Accumulated,
  path: string,
  isComponent: boolean,
): Accumulated {
  const { schemas, warnings, secrets, originPath } = target
  const loader = target.loader.enter(path)
  const inner = loadTarget(loader, {
    schemas,
    warnings,
    secrets,
    originPath: originPath === undefined ? undefined : folderIn(originPath, path),
  })
  const kind = inner.kustomization.kind
  at({ file: inner.file, line: 1 }, () => {
    useOpenApi(inner, false)
    if (isComponent && kind !== 'Component')
      fail(`this is a ${kind}; components lists only Components`)
    if (!isComponent && kind === 'Component')
      fail('this is a Component; it belongs into components, not resources')
  })
  if (isComponent) return accumulate(inner, into)
  const added = accumulate(inner, newAccumulated())
  appendAll(into.set, added.set.list)
  into.config = mergeConfigs(into.config, added.config)
  into.vars = mergeVars(into.vars, added.vars.values())
  return into
}

function originOfStep(target: Target, kind: string): Origin | undefined {
  if (target.originPath === undefined) return undefined
  const { path: configuredIn, ...from } = fileIn(target.originPath, target.fileName)
  return { ...from, configuredIn, configuredBy: { apiVersion: 'builtin', kind } }
}

function runGenerators(target: Target, all: Accumulated): void {
  const steps = builtInGenerators(target).map(({ kind, line, make }) => ({
    make: () => [at({ file: target.file, line }, make)],
    origin: originOfStep(target, kind),
  }))
  const plugins = pluginResources(target, 'generators').map((resource) => ({
    make: pluginGenerator(resource, target),
    origin: originOfPlugin(resource),
  }))
  for (const { make, origin } of [...steps, ...plugins]) {
    for (const resource of make()) {
      if (origin !== undefined && originOf(resource.node) === undefined) {
        setOrigin(resource.node, originText(origin))
      }
      addGenerated(all.set, resource)
    }
  }
}

function runTransformers(target: Target, all: Accumulated): void {
  const steps = builtInTransformers(target, all.config).map(({ kind, line, run }) => ({
    run: (set: ResourceSet) => at({ file: target.file, line }, () => run(set)),
    keepsIds: keepingIds.has(kind),
    origin: originOfStep(target, kind),
  }))
  const plugins = pluginResources(target, 'transformers').map((resource) => ({
    run: pluginTransformer(resource, target),
    keepsIds: false,
    origin: originOfPlugin(resource),
  }))
  for (const { run, keepsIds, origin } of [...steps, ...plugins]) {
    run(all.set)
    if (!keepsIds) touch(all.set)
    dropGone(all.set)
    if (origin === undefined) continue
    for (const resource of all.set.list) addTransformation(resource, origin)
  }
}

function runValidators(target: Target, all: Accumulated): void {
  for (const resource of pluginResources(target, 'validators')) {
    const run = pluginTransformer(resource, target)
    validated(all.set, resource, () => run(all.set))
  }
}

/** Plugins are written in place, or in files and folders like resources. */
function pluginResources(target: Target, field: 'generators' | 'transformers' | 'validators') {
  const all = newAccumulated()
  const paths: string[] = []
  for (const entry of target.kustomization[field] ?? []) {
    const inline = inlineResources(target, entry)
    if (inline === undefined) paths.push(entry)
    else appendAll(all.set, inline)
  }
  return addResources(target, all, paths, field).set.list
}

function inlineResources(target: Target, entry: string) {
  try {
    const found = readResources(entry, target.file, target.schemas)
    if (target.originPath !== undefined) {
      const origin = originText(fileIn(target.originPath, target.fileName))
      for (const resource of found) setOrigin(resource.node, origin)
    }
    return found
  } catch (error) {
    if (error instanceof KustomizeError) return undefined
    throw error
  }
}
