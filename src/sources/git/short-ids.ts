/** The commit behind a shortened id that is no ref's newest: servers do not tell, so the history is asked, without files. */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { commitsBeginning, makeBare, writeSettings } from '#clients/git/objects.ts'
import { isUnexplained } from '#clients/git/problem.ts'
import { fetchInto, wholeHistory, type Remote } from '#clients/git/remote.ts'
import { Problem } from '#model/problem.ts'
import type { GitLimits } from './limits.ts'

export async function beginningWith(
  short: string,
  remote: Remote,
  folder: string,
  limits: GitLimits,
  signal: AbortSignal,
): Promise<string | undefined> {
  const store = { git: remote.git, folder, limit: limits.lookTime }
  // what the store can't say, the remote does
  const known = existsSync(join(folder, 'HEAD'))
    ? await commitsBeginning(store, short, signal).catch(() => [])
    : []
  if (known.length === 1) return known[0]
  const isNew = !existsSync(folder)
  try {
    await refresh(remote, folder, limits, signal)
  } catch (error) {
    if (isNew || !isUnexplained(error)) throw error
    await rm(folder, { recursive: true, force: true })
    await refresh(remote, folder, limits, signal)
  }
  const [first, second] = await commitsBeginning(store, short, signal)
  if (second !== undefined) throw ambiguous(remote, short)
  return first
}

async function refresh(
  remote: Remote,
  folder: string,
  limits: GitLimits,
  signal: AbortSignal,
): Promise<void> {
  if (!existsSync(join(folder, 'HEAD'))) await makeBare(folder, 40)
  const fetch = {
    folder,
    refs: ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'],
    depth: wholeHistory,
    filter: 'tree:0',
    limit: limits.fetchTime,
    mostBytes: limits.mostBytes,
  }
  try {
    await fetchInto(remote, fetch, signal)
  } finally {
    await writeSettings(folder, 40)
  }
}

function ambiguous(remote: Remote, short: string): Problem {
  return new Problem({
    type: 'configuration',
    code: 'git_error',
    message: `${remote.address.shown}: several commits begin with ${short}`,
    suggestion: 'Give more of the id.',
  })
}
