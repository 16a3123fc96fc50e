/** Holds the Compose loader against recorded answers of the reference: case by case, with every difference printed. */
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { inspect, isDeepStrictEqual, parseArgs } from 'node:util'
import { ComposeError } from '#formats/compose/compose-error.ts'
import type { Release } from '#formats/compose/canonical/release.ts'
import { loadCompose, type Loaded, type LoadOptions } from '#formats/compose/load/load.ts'

type Case = {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly config_args?: readonly string[]
  readonly expect?: unknown
  readonly error?: string
  readonly warnings?: readonly string[]
  readonly hashes?: Readonly<Record<string, string>>
}

/** Prints each difference and, last, `N of M`; true when all cases pass. `--as 2.40.3`: the answers of that docker compose. */
export function run(words: readonly string[]): boolean {
  const { values, positionals } = parseArgs({
    args: [...words],
    options: { as: { type: 'string', default: '5.5.1' } },
    allowPositionals: true,
  })
  const release = releaseOf(values.as)
  const files = positionals.length > 0 ? positionals : defaultFiles()
  const cases = files.flatMap((file) => readCases(file, release))
  let passed = 0
  for (const one of cases) {
    const differences = differencesOf(one, release)
    if (differences.length === 0) passed++
    for (const difference of differences) console.log(`${one.name}: ${difference}`)
  }
  console.log(`${passed} of ${cases.length}`)
  return passed === cases.length
}

/** The project's own cases, and the shared ones where they are. */
export function defaultFiles(): string[] {
  const root = join(import.meta.dirname, '../..')
  const shared = process.env.TEND_SHARED ?? join(root, '../shared')
  const files = [
    join(root, 'test/conformance/cases/compose.json'),
    join(shared, 'conformance/compose/cases.json'),
  ]
  return files.filter((file) => existsSync(file))
}

function releaseOf(version: string): Release {
  if (version.startsWith('5')) return 5
  if (version.startsWith('2')) return 2
  throw new Error(`--as ${version}: there are answers of 5.5.1 and of 2.40.3`)
}

/** The cases hold the answers of 2.40.3; beside them is a file with those of 5.5.1 that are others. */
export function readCases(file: string, release: Release): Case[] {
  const cases: Case[] = JSON.parse(readFileSync(file, 'utf8'))
  if (release === 2) return cases
  const beside = [answersFile, `${basename(file, '.json')}-${answersFile}`]
  const answers = beside.map((name) => join(dirname(file), name)).find((name) => existsSync(name))
  if (answers === undefined) return cases
  const others: Case[] = JSON.parse(readFileSync(answers, 'utf8'))
  const byName = new Map(others.map((one) => [one.name, one]))
  return cases.map((one) => {
    const other = byName.get(one.name)
    if (other === undefined) return one
    const { expect: _, error: _1, warnings: _2, hashes: _3, ...question } = one
    return { ...question, ...other }
  })
}

const answersFile = 'answers-5.5.1.json'

export function differencesOf(one: Case, release: Release): string[] {
  let loaded: Loaded
  try {
    loaded = loadCompose({ ...optionsOf(one), release })
  } catch (error) {
    if (!(error instanceof ComposeError)) return [`crashed: ${inspect(error)}`]
    return one.error === undefined ? [`failed: ${error.message}`] : []
  }
  if (one.error !== undefined) return [`loaded, but should fail: ${one.error}`]
  const expected = undoubled(one.expect, one.config_args?.includes('--no-interpolate') ?? false)
  const found = [
    ...compare(loaded.printed, expected, ''),
    ...compare(loaded.warnings.toSorted(), one.warnings ?? [], 'warnings'),
  ]
  return one.hashes === undefined
    ? found
    : [...found, ...compare(hashesOf(one, release), one.hashes, 'hashes')]
}

/** They were asked for without the flags of `config` itself. */
function hashesOf(one: Case, release: Release): unknown {
  try {
    return loadCompose({ ...optionsOf({ ...one, config_args: [] }), release }).hashes()
  } catch (error) {
    return String(error)
  }
}

function optionsOf(one: Case): LoadOptions {
  const project = '/project'
  const files = new Map(
    Object.entries(one.files).map(([path, text]) => [join(project, path), text]),
  )
  const directories = new Set<string>([project])
  for (const file of files.keys()) {
    for (let path = dirname(file); path !== '/'; path = dirname(path)) directories.add(path)
  }
  const values = (flag: string) =>
    one.args.flatMap((arg, i) => (one.args[i - 1] === flag ? [arg] : []))
  const [directory, name] = [values('--project-directory')[0], values('-p')[0]]
  const switches = one.config_args ?? []
  return {
    files: {
      read(path) {
        const text = files.get(path)
        return text === undefined ? undefined : new TextEncoder().encode(text)
      },
      isDirectory: (path) => directories.has(path),
    },
    workingDirectory: join(project, one.cwd ?? ''),
    configFiles: values('-f'),
    envFiles: values('--env-file'),
    environment: { PATH: '/usr/bin', HOME: '/nonexistent', ...one.env },
    home: '/nonexistent',
    profiles: values('--profile'),
    interpolate: !switches.includes('--no-interpolate'),
    normalize: !switches.includes('--no-normalize'),
    checkConsistency: !switches.includes('--no-consistency'),
    resolveEnvironment: !switches.includes('--no-env-resolution'),
    resolvePaths: !switches.includes('--no-path-resolution'),
    removeUnused: !one.args.includes('--all-resources'),
    ...(directory === undefined ? {} : { projectDirectory: directory }),
    ...(name === undefined ? {} : { projectName: name }),
  }
}

/** The reference doubles every dollar sign that it prints. */
function undoubled(value: unknown, isPlain: boolean): unknown {
  return isPlain ? value : JSON.parse(JSON.stringify(value).replaceAll('$$', () => '$'))
}

function compare(actual: unknown, expected: unknown, path: string): string[] {
  if (isDeepStrictEqual(actual, expected)) return []
  if (
    !isRecord(actual) ||
    !isRecord(expected) ||
    Array.isArray(actual) !== Array.isArray(expected)
  ) {
    return [`${path}: got ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`]
  }
  const keys = new Set([...Object.keys(actual), ...Object.keys(expected)])
  const found = [...keys].flatMap((key) => compare(actual[key], expected[key], `${path}.${key}`))
  return found.length > 0 ? found : [`${path}: differs`]
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
