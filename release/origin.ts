/** The commit that a release is made from. */
import { spawnSync } from 'node:child_process'

export type Origin = {
  /** Undefined where there is no Git; it ends with `-changed` when files differ from the commit. */
  readonly commit: string | undefined
  readonly date: string | undefined
  /** Seconds: what the files of a release say of their age, so that two builds of one commit are equal. */
  readonly time: number
}

export function origin(): Origin {
  const [commit, date, time] = git('show', '-s', '--format=%H %cI %ct', 'HEAD')?.split(' ') ?? []
  if (commit === undefined) return { commit, date: undefined, time: 0 }
  const isChanged = git('status', '--porcelain', '--untracked-files=no') !== ''
  return { commit: isChanged ? `${commit}-changed` : commit, date, time: Number(time) }
}

function git(...words: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', words, { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}
