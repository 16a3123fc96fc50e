/** Applications that are declared one by one, and discoveries. */
import { normalize } from 'node:path/posix'
import { keyOf, type Application } from '#model/application.ts'
import type { AppPolicy, Declared, Discovery } from '#model/declaration.ts'
import { isRecord, type Json } from '#model/json.ts'
import { placeText, type ProblemFacts } from '#model/problem.ts'
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
    const values = valuesIn(file, [...path, 'values'], application.kind, problems)
    if (source === undefined) return []
    return {
      application,
      source,
      path: folderPath(data.path),
      files: data.files ?? [],
      profiles: data.profiles ?? [],
      values,
      target: data.target,
      policy: policyOf(data, defaults),
      at: file.at(path),
    }
  })
}

function applicationOf(
  file: File,
  path: readonly (string | number)[],
  data: AppData,
  problems: ProblemFacts[],
): Application | undefined {
  const { stack, chart, namespace = null } = data
  if ((stack === undefined) === (chart === undefined)) {
    if (file.isFaulty(path)) return undefined
    const hasBoth = stack !== undefined
    const message = hasBoth ? 'is both a stack and a chart' : 'is neither a stack nor a chart'
    const suggestion = hasBoth
      ? 'make it two applications'
      : 'begin it with stack: NAME or chart: NAME'
    problems.push(troubleOf({ message, suggestion, at: file.at(path) }))
    return undefined
  }
  const foreign = stack === undefined ? (['files', 'profiles'] as const) : (['namespace'] as const)
  for (const key of foreign.filter((one) => data[one] !== undefined)) {
    const message = `${key} belongs to a ${stack === undefined ? 'stack' : 'chart'}, not to this`
    problems.push(
      troubleOf({ message, suggestion: 'take it away', at: file.at([...path, key], 'key') }),
    )
  }
  return stack === undefined
    ? { kind: 'chart', namespace, name: chart! }
    : { kind: 'stack', namespace: null, name: stack }
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
