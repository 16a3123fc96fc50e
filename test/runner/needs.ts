/** Which programs a test file needs, read from its text and from that of the files it imports: so `npm test` knows what can start at once. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { isGoTool, missingOf, type GoTool } from '../testbed/go-tools.ts'
import { controlPlane } from '../testbed/kube-tools.ts'
import { isProgram, isThere, type Program } from '../testbed/packages.ts'

export type Needs = {
  readonly tools: ReadonlySet<GoTool>
  readonly programs: ReadonlySet<Program>
  /** It starts Tend. */
  readonly usesTend: boolean
}

/** What defines these words mentions them, too. */
const definitions = new Set(['test/testbed/kube-tools.ts', 'test/testbed/compose-oracle.ts'])
const texts = new Map<string, string>()

export function needsOf(file: string): Needs {
  const tools = new Set<GoTool>()
  const programs = new Set<Program>()
  for (const path of reachedFrom(file)) {
    if (definitions.has(path)) continue
    const text = textOf(path)
    for (const [, words = ''] of text.matchAll(/\brequiredKube\(([^)]*)\)/g)) {
      const isWhole = words.trim() === '' || words.includes('controlPlane')
      for (const name of isWhole ? controlPlane : []) tools.add(name)
      for (const [, name = ''] of words.matchAll(/'([^']+)'/g)) if (isGoTool(name)) tools.add(name)
    }
    for (const [, version = '5.5.1'] of text.matchAll(/\bcomposeOracle\((?:'([^']+)')?\)/g)) {
      const name = `docker-compose-${version}`
      if (isGoTool(name)) tools.add(name)
    }
    for (const [, name = ''] of text.matchAll(/\b(?:required|provide)\('([^']+)'\)/g)) {
      if (isProgram(name)) programs.add(name)
    }
  }
  if (tools.has('kube-apiserver')) programs.add('etcd')
  return { tools, programs, usesTend: reachedFrom(file).has('test/testbed/program.ts') }
}

export function isReady({ tools, programs }: Needs): boolean {
  return missingOf([...tools]).length === 0 && [...programs].every((one) => isThere(one))
}

/** For people: what a file still waits for. */
export function lacking({ tools, programs }: Needs): string {
  return [...missingOf([...tools]), ...[...programs].filter((one) => !isThere(one))].join(', ')
}

/** The file and every file of test/ that it imports, by whatever way. */
function reachedFrom(file: string): ReadonlySet<string> {
  const reached = new Set([file])
  for (const path of reached) {
    for (const [, name = ''] of textOf(path).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+\.ts)'/g)) {
      const next = join(dirname(path), name)
      // a line that looks like an import may stand in a text
      if (next.startsWith('test/') && existsSync(next)) reached.add(next)
    }
  }
  return reached
}

function textOf(path: string): string {
  const known = texts.get(path)
  if (known !== undefined) return known
  const text = readFileSync(path, 'utf8')
  texts.set(path, text)
  return text
}
