/** All that the service is told, from files or from the origin's variables: whole and checked, or every problem at once. */
import type { Hints } from '#formats/schema/faults.ts'
import { keyOf } from '#model/application.ts'
import type { Declarations } from '#model/declaration.ts'
import type { KindDeclaration } from '#model/kind-declaration.ts'
import { isList, isRecord } from '#model/json.ts'
import type { ProblemFacts } from '#model/problem.ts'
import { appsOf, discoveriesOf, duplicates, keyed, sectionApps } from './apps.ts'
import { dependencyProblems } from './dependencies.ts'
import { declarationsOfOrigin, variablesOfOrigin, type Environment } from './origin.ts'
import { policyOf } from './policy.ts'
import { fileSchemaOf, type FileData } from './schema.ts'
import { settingsOf } from './settings.ts'
import { sourcesOf, type File } from './sources.ts'
import { readWritten, troubleOf, type DeclarationFile, type DeclarationsResult } from './written.ts'
import { defined } from '#model/defined.ts'

/** Paths in files are taken from the folder of the file they stand in. With files the origin's variables are not read. */
export function declarationsFrom({
  files,
  environment,
  kinds,
}: {
  readonly files: readonly DeclarationFile[]
  readonly environment: Environment
  readonly kinds: readonly KindDeclaration[]
}): DeclarationsResult {
  if (files.length === 0) return declarationsOfOrigin(environment)
  const schema = fileSchemaOf(kinds)
  const written = files.map((file) => readWritten<FileData>(schema, {}, file, hints))
  const problems = written.flatMap((file) => file.problems)
  if (problems.length === 0 && written.every(({ raw }) => raw === undefined)) {
    problems.push(nothingIn(defined(written[0])))
  }

  const sources = sourcesOf(written, problems)
  const settings = settingsOf(written, sources, problems)
  const said = written.find(({ data }) => data.defaults !== undefined)?.data.defaults
  const defaults = policyOf(said ?? {})
  // where nobody tells of a commit, some kinds look for it more often
  const isToldOf = said?.interval !== undefined || settings.hooks.length > 0
  const apps = [
    ...written.flatMap((file) => appsOf(file, sources, defaults, kinds, problems, isToldOf)),
    ...written.flatMap((file) => sectionApps(file, kinds)),
  ]
  const discoveries = written.flatMap((file) => discoveriesOf(file, sources, defaults, problems))

  problems.push(
    ...duplicates(keyed(apps)),
    ...duplicates(discoveries.map((one) => [`discover ${one.name}`, one])),
    // what is found later may be what is depended on
    ...dependencyProblems(
      apps,
      discoveries.length > 0 ? undefined : written.flatMap((file) => rawKeys(file, kinds)),
    ),
  )
  if (problems.length > 0) return { declarations: undefined, problems: inOrder(problems) }
  return {
    declarations: {
      ...settings,
      apps,
      discoveries,
      projectName: 'Tend',
      isOrigin: false,
      warnings: [...ignoredVariables(environment), ...warningsOf({ apps, discoveries })],
    },
    problems: [],
  }
}

/** A file that was cut to nothing, by a full disk or a slip of the hand, is no wish to take everything down. */
function nothingIn(written: File): ProblemFacts {
  const message = `${written.file} holds nothing`
  return troubleOf({ message, suggestion: 'write apps: [] if that is meant', at: written.at([]) })
}

const hints: Hints = {
  namesFields: true,
  field: (_, path, key) => (path.length === 0 ? sameSetting.get(key) : sameField.get(key)),
}

/** What people call it elsewhere. */
const sameSetting: ReadonlyMap<string, string> = new Map([
  ['applications', 'use apps'],
  ['stacks', 'use apps: [{stack: NAME, …}]'],
  ['charts', 'use apps: [{chart: NAME, …}]'],
  ['repositories', 'use sources'],
  ['webhooks', 'use hooks'],
  ['notifications', 'use alerts'],
  ['port', 'use listen: 127.0.0.1:8080'],
])
const sameField: ReadonlyMap<string, string> = new Map([
  ['branch', 'use ref'],
  ['tag', 'use ref'],
  ['revision', 'use ref'],
  ['targetRevision', 'use ref'],
  ['url', 'use git'],
  ['repoURL', 'declare it under sources, and name it as source'],
  ['suspend', 'use suspended'],
  ['compose_files', 'use files'],
  ['composeFiles', 'use files'],
  ['environment', 'use values'],
  ['env', 'use values'],
  ['depends_on', 'use dependsOn'],
  ['folder', 'use path'],
])

/** Also of applications with a fault: one who depends on such a one made no second mistake. */
function rawKeys({ raw }: File, kinds: readonly KindDeclaration[]): readonly string[] {
  const apps = isRecord(raw) ? raw['apps'] : undefined
  if (!isList(apps)) return []
  return apps.flatMap((app) => {
    if (!isRecord(app)) return []
    const { namespace } = app
    return kinds.flatMap(({ kind, fields, namespace: usual }) => {
      const name = app[kind]
      if (typeof name !== 'string') return []
      const said = fields.includes('namespace') && typeof namespace === 'string'
      return [keyOf({ kind, namespace: said ? namespace : usual, name })]
    })
  })
}

function inOrder(problems: readonly ProblemFacts[]): readonly ProblemFacts[] {
  return problems.toSorted((left, right) => {
    if (left.at === undefined || right.at === undefined) return 0
    const byFile = left.at.file < right.at.file ? -1 : left.at.file > right.at.file ? 1 : 0
    return byFile || left.at.line - right.at.line || left.at.column - right.at.column
  })
}

function ignoredVariables(environment: Environment): readonly string[] {
  const set = variablesOfOrigin.filter((name) => name.startsWith('GIT_') && environment[name])
  return set.length === 0
    ? []
    : [`${set.join(', ')}: not read, since a declaration file is given; declare the source there`]
}

function warningsOf({
  apps,
  discoveries,
}: Pick<Declarations, 'apps' | 'discoveries'>): readonly string[] {
  const clear = new Set(
    [...apps, ...discoveries].flatMap(({ source }) =>
      source.kind === 'git' && source.credential !== undefined && source.url.startsWith('http:')
        ? [`the token for ${source.url} goes over the wire in clear: use https`]
        : [],
    ),
  )
  const nothing = apps.length + discoveries.length === 0
  return [...clear, ...(nothing ? ['no applications are declared'] : [])]
}
