/** Holds the kustomize builder against recorded builds: byte for byte, and to failing where kustomize fails. */
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path/posix'
import { type Files, type BuildOptions, buildKustomization } from '#formats/kustomize/build.ts'
import { KustomizeError } from '#formats/kustomize/error.ts'

type Case = {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  readonly filesBase64?: Readonly<Record<string, string>>
  readonly path: string
  readonly options: BuildOptions
  readonly expect?: string
  readonly error?: string
  /** False: kustomize as released gives another answer. */
  readonly released?: boolean
}

/** Prints each difference and, last, `N of M`; true when all cases pass. */
export function run(files: readonly string[]): boolean {
  const cases = (files.length > 0 ? files : defaultFiles()).flatMap(casesIn)
  let passed = 0
  for (const one of cases) {
    const problem = difference(one)
    if (problem === undefined) passed++
    else console.log(`${one.name}: ${problem}`)
  }
  console.log(`${passed} of ${cases.length}`)
  return passed === cases.length
}

/** The project's own cases, and the larger sets beside the checkout where they are. */
export function defaultFiles(): string[] {
  const shared = process.env['TEND_SHARED'] ?? join(import.meta.dirname, '../../../shared')
  return [
    join(import.meta.dirname, 'cases/kustomize.json'),
    join(shared, 'conformance/kustomize/overlays.json'),
    join(shared, 'conformance/kustomize/krusty.json'),
  ].filter((file) => existsSync(file))
}

export function casesIn(file: string): Case[] {
  const all: Case[] = JSON.parse(readFileSync(file, 'utf8'))
  return all.filter((one) => one.released !== false)
}

/** Undefined: the case is met. */
export function difference(one: Case): string | undefined {
  try {
    const { text } = buildKustomization({
      files: filesOf(one),
      path: one.path,
      options: one.options,
    })
    if (one.expect === undefined) return `should have failed: ${one.error}`
    return text === one.expect ? undefined : firstDifference(text, one.expect)
  } catch (error) {
    if (!(error instanceof KustomizeError)) return `crashed: ${stackOf(error)}`
    return one.expect === undefined ? undefined : `failed: ${error.message}`
  }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

export function filesOf(one: Pick<Case, 'files' | 'filesBase64'>): Files {
  const bytes = new Map<string, Uint8Array>()
  for (const [path, text] of Object.entries(one.files)) bytes.set(path, Buffer.from(text))
  for (const [path, text] of Object.entries(one.filesBase64 ?? {})) {
    bytes.set(path, Buffer.from(text, 'base64'))
  }
  const folders = new Set([''])
  for (const path of bytes.keys()) {
    const parts = path.split('/')
    for (let i = 1; i < parts.length; i++) folders.add(parts.slice(0, i).join('/'))
  }
  return {
    read: (path) => bytes.get(path),
    isDirectory: (path) => folders.has(path),
    list: (path) =>
      [...bytes.keys(), ...folders]
        .filter((found) => found !== '' && dirname(found) === (path || '.'))
        .map((found) => basename(found)),
  }
}

function firstDifference(actual: string, expected: string): string {
  const [left, right] = [actual.split('\n'), expected.split('\n')]
  const at = left.findIndex((line, i) => line !== right[i])
  const line = at < 0 ? left.length : at
  return `line ${line + 1}: ${JSON.stringify(left[line])} instead of ${JSON.stringify(right[line])}`
}
