/** Applications that are declared one by one, and discoveries. */
import { normalize } from 'node:path/posix'
import { keyOf, type Application } from '#model/application.ts'
import type { AppPolicy, Declared, Discovery } from '#model/declaration.ts'
import { isRecord, type Json } from '#model/json.ts'
import { placeText, type ProblemFacts } from '#model/problem.ts'
import { readSpec } from '#domains/kustomizations/spec.ts'
import { policyOf } from './policy.ts'
import type { AppData, DiscoverData } from './schema.ts'
import type { File, Sources } from './sources.ts'
import { projectName } from './terms.ts'
import { troubleOf, type Written } from './written.ts'

export function appsOf(
  file: File,
  sources: Sources,
  defaults: AppPolicy,
  problems: ProblemFacts[],
): readonly Declared[] {
  return (file.data.apps ?? []).flatMap((data, index) => {
    const path = ['apps', index]
    const source = sources.find(data.source, file, path, problems)
    const application = applicationOf(file, path, data, problems)
    if (application === undefined) return []
    const values =
      application.kind === 'kustomization'
        ? specIn(file, path, data, problems)
        : valuesIn(file, [...path, 'values'], application.kind, problems)
    if (source === undefined) return []
    return {
      application,
      source,
      path: folderPath(data.path),
      files: data.files ?? [],
      profiles: data.profiles ?? [],
      values,
      target: data.target,
      policy: policyFor(application, values, policyOf(data, defaults)),
      at: file.at(path),
    }
  })
}

/** A kustomization's spec says it in Flux's words. */
function policyFor(
  { kind }: Application,
  values: Readonly<Record<string, Json>>,
  policy: AppPolicy,
): AppPolicy {
  if (kind !== 'kustomization') return policy
  const { timeout, retryInterval, prune, suspend } = readSpec(values).spec
  return { ...policy, timeout, retryInterval, prune, suspended: suspend || policy.suspended }
}

function applicationOf(
  file: File,
  path: readonly (string | number)[],
  data: AppData,
  problems: ProblemFacts[],
): Application | undefined {
  const { stack, chart, kustomization, namespace = null } = data
  const named = [stack, chart, kustomization].filter((one) => one !== undefined)
  if (named.length !== 1) {
    if (file.isFaulty(path)) return undefined
    const hasBoth = named.length > 1
    const message = hasBoth
      ? 'is of several kinds at once'
      : 'is neither a stack nor a chart nor a kustomization'
    const suggestion = hasBoth
      ? 'make it several applications'
      : 'begin it with stack: NAME, chart: NAME or kustomization: NAME'
    problems.push(troubleOf({ message, suggestion, at: file.at(path) }))
    return undefined
  }
  for (const [key, kinds] of foreign) {
    if (data[key] === undefined || kinds.some((kind) => data[kind] !== undefined)) continue
    const message = `${key} belongs to a ${kinds.join(' or a ')}, not to this`
    problems.push(
      troubleOf({ message, suggestion: 'take it away', at: file.at([...path, key], 'key') }),
    )
  }
  if (stack !== undefined) return { kind: 'stack', namespace: null, name: stack }
  if (chart !== undefined) return { kind: 'chart', namespace, name: chart }
  return { kind: 'kustomization', namespace: namespace ?? 'flux-system', name: kustomization! }
}

const foreign = [
  ['files', ['stack']],
  ['profiles', ['stack']],
  ['namespace', ['chart', 'kustomization']],
  ['spec', ['kustomization']],
] as const

/** The fields that a declaration says elsewhere are filled in from there. */
function specIn(
  file: File,
  path: readonly (string | number)[],
  data: AppData,
  problems: ProblemFacts[],
): Readonly<Record<string, Json>> {
  const said = file.valueOf([...path, 'spec'])
  const spec = {
    interval: '1m',
    prune: data.prune ?? true,
    sourceRef: { kind: 'GitRepository', name: data.source ?? 'source' },
    path: folderPath(data.path),
    ...(isRecord<Json>(said) ? said : {}),
  }
  for (const { message, suggestion } of readSpec(spec).problems) {
    problems.push(troubleOf({ message, suggestion, at: file.at([...path, 'spec']) }))
  }
  return spec
}

/** A stack's variables are texts, as they are written: 0644 stays 0644. */
export function valuesIn<Data>(
  file: Written<Data>,
  path: readonly (string | number)[],
  kind: Application['kind'] | undefined,
  problems: ProblemFacts[],
): Readonly<Record<string, Json>> {
  const values = file.valueOf(path)
  if (!isRecord<Json>(values)) return {}
  if (kind !== 'stack') return values
  const texts: Record<string, Json> = {}
  for (const name of Object.keys(values)) {
    const text = values[name] === null ? '' : file.textOf([...path, name])
    if (text !== undefined) {
      texts[name] = text
      continue
    }
    const message = `${name}: a stack's variable is a text, not a list or a map`
    problems.push(troubleOf({ message, at: file.at([...path, name]) }))
  }
  return texts
}

export function discoveriesOf(
  file: File,
  sources: Sources,
  defaults: AppPolicy,
  problems: ProblemFacts[],
): readonly Discovery[] {
  return (file.data.discover ?? []).flatMap((data, index) => {
    const path = ['discover', index]
    const source = sources.find(data.source, file, path, problems)
    checkPrefix(file, path, data, problems)
    if (source === undefined) return []
    const folder = folderPath(data.path)
    return {
      name: data.name ?? [data.source ?? 'source', folder].filter(Boolean).join('/'),
      source,
      path: folder,
      depth: data.depth ?? 1,
      include: data.include ?? [],
      exclude: data.exclude ?? [],
      prefix: data.prefix ?? '',
      target: data.target,
      values: valuesIn(file, [...path, 'values'], undefined, problems),
      policy: policyOf(data, defaults),
      removesGone: data.removeGone ?? false,
      at: file.at(path),
    }
  })
}

function checkPrefix(
  file: File,
  path: readonly (string | number)[],
  { prefix }: DiscoverData,
  problems: ProblemFacts[],
): void {
  if (prefix === undefined || projectName.test(prefix)) return
  const message = `prefix: ${JSON.stringify(prefix)} can't begin a name that Compose takes`
  const suggestion = 'use small letters, digits, "-" and "_", and begin with a letter or digit'
  problems.push(troubleOf({ message, suggestion, at: file.at([...path, 'prefix']) }))
}

/** Two of one name are wrong both: nobody can tell which one is meant. */
export function duplicates(
  named: readonly (readonly [string, Declared | Discovery])[],
): readonly ProblemFacts[] {
  const first = new Map<string, Declared | Discovery>()
  return named.flatMap(([name, one]) => {
    const before = first.get(name)
    if (before === undefined) {
      first.set(name, one)
      return []
    }
    const also = before.at === undefined ? '' : `, also at ${placeText(before.at)}`
    const message = `${name} is declared twice${also}`
    const suggestion = 'give one of them another name'
    return [troubleOf({ code: 'duplicate_name', message, suggestion, at: one.at })]
  })
}

export function keyed(apps: readonly Declared[]): readonly (readonly [string, Declared])[] {
  return apps.map((app) => [keyOf(app.application), app])
}

/** '' for the root, else without `./` and a closing `/`. */
export function folderPath(path: string | undefined): string {
  const clean = normalize(path ?? '.').replace(/\/$/, '')
  return clean === '.' ? '' : clean
}
