/** What is asked of a repository elsewhere: its refs, and one commit with its files. */
import type { Access } from './access.ts'
import type { Address } from './address.ts'
import { runGit, type Git } from './git.ts'
import { defined } from '#model/defined.ts'

export type Remote = {
  readonly git: Git
  readonly address: Address
  readonly access: Access
  readonly settingsFile: string
}

const protocols = 'https:http:ssh:file'

/** All branches and tags, tags with the commit behind them as `NAME^{}`; further refs only where they are asked for. */
export async function remoteRefs(
  remote: Remote,
  isAll: boolean,
  signal: AbortSignal,
  limit: number,
): Promise<ReadonlyMap<string, string>> {
  const which = isAll ? [] : ['--heads', '--tags']
  const { git, access, settingsFile, address } = remote
  const words = ['ls-remote', '--quiet', ...which, '--', address.url]
  const ran = await runGit(git, { words, signal, limit, access, protocols, settingsFile })
  const lines = ran.output.toString().split('\n')
  const pairs = lines.flatMap((line) => {
    const found = /^([0-9a-f]{40,64})\t(\S+)$/.exec(line)
    return found === null ? [] : [[defined(found[2]), defined(found[1])] as const]
  })
  return new Map(pairs)
}

type Fetch = {
  readonly folder: string
  /** `SOURCE:DESTINATION` */
  readonly refs: readonly string[]
  /** The number of commits of each ref, from the newest on. */
  readonly depth: number
  /** What is left out where the server can do that: `blob:limit=N`, `tree:0`. */
  readonly filter: string
  readonly limit: number
  readonly mostBytes: number
}

/** Fetches all history, even where only the newest commit was fetched before. */
export const wholeHistory = 2 ** 31 - 1

const quiet = [
  'fetch',
  '--quiet',
  '--force',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-recurse-submodules',
  '--update-shallow',
]

export async function fetchInto(remote: Remote, fetch: Fetch, signal: AbortSignal): Promise<void> {
  const { git, access, settingsFile, address } = remote
  const { folder, limit, mostBytes } = fetch
  const how = [`--filter=${fetch.filter}`, `--depth=${fetch.depth}`]
  const words = [...quiet, ...how, '--', address.url, ...fetch.refs]
  const rules = { signal, limit, access, protocols, settingsFile, mostBytes }
  await runGit(git, { ...rules, words, folder })
}
