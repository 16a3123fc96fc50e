/** Fills in the submodules of a commit that was laid out, for those who asked for them. */
import { lstat, readFile, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path/posix'
import { openAccess, type GitCredential } from '#clients/git/access.ts'
import { addressFrom, type Address } from '#clients/git/address.ts'
import { runGit, type Git } from '#clients/git/git.ts'
import { Problem } from '#model/problem.ts'
import type { Bare } from './bare.ts'
import { layOut } from './lay-out.ts'
import type { GitLimits } from './limits.ts'

export type Parent = {
  readonly git: Git
  readonly address: Address
  readonly credential: GitCredential | undefined
  readonly settingsFile: string
  readonly bare: Bare
  readonly limits: GitLimits
}

const deepest = 5

/** Paths below each submodule that were left out come back with the submodule's path before them. */
export async function fillSubmodules(
  parent: Parent,
  folder: string,
  submodules: readonly (readonly [string, string])[],
  signal: AbortSignal,
  depth = 1,
): Promise<readonly string[]> {
  if (submodules.length === 0) return []
  if (depth > deepest) throw refused(parent, `submodules are nested deeper than ${deepest}`)
  const urls = await urlsIn(parent, folder, signal)
  const omitted: string[] = []
  for (const [path, commit] of submodules) {
    const declared = urls.get(path)
    if (declared === undefined) throw refused(parent, `.gitmodules says nothing of ${path}`)
    const inside = join(folder, path)
    if ((await realpath(inside)) !== join(await realpath(folder), path)) {
      throw refused(parent, `the submodule ${path} lies behind a link`)
    }
    const child = await childOf(parent, path, declared)
    const access = openAccess(child.address, child.credential, child.git.around)
    try {
      await child.bare.get({ ...child, access }, commit, signal)
    } finally {
      access.close()
    }
    const [{ store }, { shown }] = [child.bare, child.address]
    const laidOut = await layOut({ store, commit, limits: child.limits, shown }, inside, signal)
    await child.bare.account(laidOut.unfetched)
    const below = await fillSubmodules(child, inside, laidOut.submodules, signal, depth + 1)
    omitted.push(...[...laidOut.omitted, ...below].map((name) => join(path, name)))
  }
  return omitted
}

type Declared = { readonly url: string; readonly line: number }

/**
 * A repository can't point at files of this machine that were not given to it. A credential goes to its own scheme, host, port and
 * ssh user alone, and elsewhere nothing that the operator has on this machine serves in its place.
 */
async function childOf(parent: Parent, path: string, { url, line }: Declared): Promise<Parent> {
  const deny = (why: string) =>
    refused(parent, `.gitmodules:${line}: the submodule ${path}: ${why}`)
  let address: Address
  try {
    address = addressFrom(parent.address, url)
  } catch (error) {
    throw deny(error instanceof Error ? error.message : String(error))
  }
  if (address.kind === 'file') {
    if (parent.address.kind !== 'file') throw deny(`${url} is a path of this machine`)
    const beside = `${dirname(await resolved(parent.address.origin))}/`
    if (!(await resolved(address.origin)).startsWith(beside)) {
      throw deny(`${url} is not beside the repository that names it, in ${beside}`)
    }
  }
  const isSame = address.kind === parent.address.kind && address.origin === parent.address.origin
  return { ...parent, address, credential: isSame ? parent.credential : { kind: 'nobody' } }
}

/** What is not there is refused later, by Git. */
async function resolved(path: string): Promise<string> {
  const plain = join('/', path)
  return realpath(plain).catch(() => plain)
}

async function urlsIn(
  parent: Parent,
  folder: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Declared>> {
  const file = join(folder, '.gitmodules')
  const isFile = await lstat(file).then(
    (found) => found.isFile(),
    () => false,
  )
  if (!isFile) throw refused(parent, 'it has submodules but no .gitmodules')
  const words = ['config', '--file', file, '--no-includes', '--list', '-z']
  const { output } = await runGit(parent.git, { words, signal, limit: parent.limits.lookTime })
  const values = new Map<string, string>()
  for (const line of output.toString().split('\0')) {
    const [key = '', value = ''] = line.split('\n')
    values.set(key, value)
  }
  const named = [...values].filter(([key]) => /^submodule\..*\.path$/.test(key))
  const lines = (await readFile(file, 'utf8')).split('\n')
  return new Map(
    named.flatMap(([key, path]) => {
      const url = values.get(key.replace(/\.path$/, '.url'))
      return url === undefined ? [] : [[path, { url, line: lineOf(url, path, lines) }] as const]
    }),
  )
}

/** Git tells no lines: the first that holds the address, or else the path. */
function lineOf(url: string, path: string, lines: readonly string[]): number {
  const at = lines.findIndex((line) => line.includes(url))
  return 1 + Math.max(0, at < 0 ? lines.findIndex((line) => line.includes(path)) : at)
}

function refused(parent: Parent, why: string): Problem {
  return new Problem({
    type: 'runtime',
    code: 'git_error',
    message: `${parent.address.shown}: ${why}`,
    suggestion: 'Correct .gitmodules, or declare the source without submodules.',
  })
}
