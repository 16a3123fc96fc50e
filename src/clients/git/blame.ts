/** Who changed each line of a file last, as far back as the history in a bare repository goes. */
import { runGit } from './git.ts'
import type { Store } from './objects.ts'
import { defined } from '#model/defined.ts'

export type LineCommit = {
  readonly revision: string
  readonly message: string
  readonly author: string
  /** ms */
  readonly at: number
}

/** A larger output belongs to a file that is no declaration. */
const mostBytes = 64 * 1024 ** 2

/** The commit of each line, from the first line on. */
export async function blameOf(
  store: Store,
  commit: string,
  path: string,
  signal: AbortSignal,
): Promise<readonly LineCommit[]> {
  const words = ['blame', '--porcelain', '--root', commit, '--', path]
  const { output } = await runGit(store.git, { ...store, words, signal, most: mostBytes })
  return linesIn(output.toString('utf8'))
}

/** Facts of a commit come with the first line that it changed. */
export function linesIn(porcelain: string): readonly LineCommit[] {
  const known = new Map<string, { author: string; at: number; message: string }>()
  const lines: LineCommit[] = []
  let revision = ''
  for (const line of porcelain.split('\n')) {
    if (line.startsWith('\t')) {
      const facts = known.get(revision)
      if (facts !== undefined) lines.push({ revision, ...facts })
      continue
    }
    const begun = /^([0-9a-f]{40,64}) \d+ \d+/.exec(line)
    if (begun !== null) {
      revision = defined(begun[1])
      if (!known.has(revision)) known.set(revision, { author: '', at: 0, message: '' })
      continue
    }
    const facts = known.get(revision)
    const space = line.indexOf(' ')
    const value = line.slice(space + 1)
    if (facts === undefined) continue
    if (line.startsWith('author ')) facts.author = value
    else if (line.startsWith('author-time ')) facts.at = Number(value) * 1000
    else if (line.startsWith('summary ')) facts.message = value
  }
  return lines
}
