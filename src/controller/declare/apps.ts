/** Applications that are declared one by one, and discoveries. */
import { dirname, normalize } from 'node:path/posix'
import { keyOf, type Application } from '#model/application.ts'
import type { AppPolicy, Declared, Discovery } from '#model/declaration.ts'
import { isList, isRecord, type Json } from '#model/json.ts'
import type { KindDeclaration, OwnField, Values } from '#model/kind-declaration.ts'
import { placeText, type Place, type ProblemFacts } from '#model/problem.ts'
import { usualPolicy } from '#model/usual-policy.ts'
import { policyOf } from './policy.ts'
import type { AppData, DiscoverData } from './schema.ts'
import type { File, Sources } from './sources.ts'
import { projectName } from './terms.ts'
import { troubleOf, type Written } from './written.ts'

export function appsOf(
  file: File,
  sources: Sources,
  defaults: AppPolicy,
  kinds: readonly KindDeclaration[],
  problems: ProblemFacts[],
  /** Somebody said how often sources are asked, or tells of commits. */
  isToldOf = true,
): readonly Declared[] {
  return (file.data.apps ?? []).flatMap((data, index) => {
    const path = ['apps', index]
    const source = sources.find(data.source, file, path, problems)
    const named = namedIn(file, path, data, kinds, problems)
    if (named === undefined) return []
    const { application, kind } = named
    const values = kind.specFrom
      ? specIn(file, path, data, kind, problems)
      : valuesIn(file, [...path, 'values'], kind, problems)
    if (source === undefined) return []
    const { usualInterval, usualTimeout } = kind
    const ownDefaults =
      isToldOf || usualInterval === undefined ? defaults : { ...defaults, interval: usualInterval }
    const isTimed = usualTimeout === undefined || defaults.timeout !== usualPolicy.timeout
    const timed = isTimed ? ownDefaults : { ...ownDefaults, timeout: usualTimeout }
    const policy = policyOf(data, timed)
    const placed = kind.placed?.(values, dirname(file.file))
    return {
      application,
      source,
      path: folderPath(data.path),
      files: data.files ?? [],
      profiles: data.profiles ?? [],
      values: placed?.values ?? values,
      target: data.target ?? placed?.target,
      policy: kind.policyFrom?.(values, policy) ?? policy,
      at: file.at(path),
    }
  })
}

/** Those that a kind has a list of its own for. */
export function sectionApps(file: File, kinds: readonly KindDeclaration[]): readonly Declared[] {
  return kinds.flatMap(({ section }) => {
    const entries = section && file.valueOf([section.name])
    if (section === undefined || !isList<Json>(entries)) return []
    return entries.flatMap((entry, index) => {
      const path = [section.name, index]
      if (file.isFaulty(path)) return []
      return [{ ...section.declared(entry, dirname(file.file)), at: file.at(path) }]
    })
  })
}

type Named = { readonly application: Application; readonly kind: KindDeclaration }

function namedIn(
  file: File,
  path: readonly (string | number)[],
  data: AppData,
  kinds: readonly KindDeclaration[],
  problems: ProblemFacts[],
): Named | undefined {
  const fields: Readonly<Record<string, unknown>> = data
  const named = kinds.flatMap((kind) => {
    const name = fields[kind.kind]
    return typeof name === 'string' ? [{ kind, name }] : []
  })
  const [first, ...others] = named
  if (first === undefined || others.length > 0) {
    if (!file.isFaulty(path)) problems.push(unclear(named.length > 1, kinds, file.at(path)))
    return undefined
  }
  const { kind, name } = first
  for (const key of ownFields) {
    if (data[key] === undefined || kind.fields.includes(key)) continue
    const message = `${key} belongs to a ${kindsWith(key, kinds).join(' or a ')}, not to this`
    problems.push(
      troubleOf({ message, suggestion: 'take it away', at: file.at([...path, key], 'key') }),
    )
  }
  const { namespace = kind.namespace } = data
  const hasNamespace = kind.fields.includes('namespace')
  const application = { kind: kind.kind, namespace: hasNamespace ? namespace : null, name }
  return { application, kind }
}

const ownFields = ['files', 'profiles', 'namespace', 'spec', 'ignore'] as const

export function kindsWith(field: OwnField, kinds: readonly KindDeclaration[]): readonly string[] {
  return kinds.filter(({ fields }) => fields.includes(field)).map(({ kind }) => kind)
}

function unclear(
  isSeveral: boolean,
  kinds: readonly KindDeclaration[],
  at: Place | undefined,
): ProblemFacts {
  const all = kinds.map(({ kind }) => kind)
  if (isSeveral) {
    const message = 'is of several kinds at once'
    return troubleOf({ message, suggestion: 'make it several applications', at })
  }
  const begins = all.map((kind) => `${kind}: NAME`)
  return troubleOf({
    message: `is neither ${all.map((kind) => `a ${kind}`).join(' nor ')}`,
    suggestion: `begin it with ${begins.slice(0, -1).join(', ')} or ${begins.at(-1)}`,
    at,
  })
}

function specIn(
  file: File,
  path: readonly (string | number)[],
  data: AppData,
  kind: KindDeclaration,
  problems: ProblemFacts[],
): Values {
  const said = file.valueOf([...path, 'spec'])
  const { prune = true, source = 'source' } = data
  const around = { prune, source, path: folderPath(data.path) }
  const made = kind.specFrom?.(isRecord<Json>(said) ? said : {}, around)
  for (const { message, suggestion } of made?.faults ?? []) {
    problems.push(troubleOf({ message, suggestion, at: file.at([...path, 'spec']) }))
  }
  return made?.values ?? {}
}

/** `kind`: undefined where it is not known yet. */
export function valuesIn<Data>(
  file: Written<Data>,
  path: readonly (string | number)[],
  kind: KindDeclaration | undefined,
  problems: ProblemFacts[],
): Readonly<Record<string, Json>> {
  const values = file.valueOf(path)
  if (!isRecord<Json>(values)) return {}
  if (kind?.hasTextValues !== true) return values
  const texts: Record<string, Json> = {}
  for (const name of Object.keys(values)) {
    const text = values[name] === null ? '' : file.textOf([...path, name])
    if (text !== undefined) {
      texts[name] = text
      continue
    }
    const message = `${name}: a ${kind.kind}'s variable is a text, not a list or a map`
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
