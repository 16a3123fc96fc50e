/** Whether a commit comes from another one: told by its parents, else by as much of the history as is worth asking for. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { contentsOf, historyOf, makeBare, type Store } from '#clients/git/objects.ts'
import { fetchInto, type Remote } from '#clients/git/remote.ts'
import { defined } from '#model/defined.ts'

/** Commits back from the new one, without their files where the server can leave them out. */
const depths = [64, 1_024]
/** Beyond that it is not worth knowing. */
const [mostBytes, limit] = [64 * 1024 ** 2, 60_000]
/** Clocks of those who commit are wrong by less than that, seconds. */
const wrong = 24 * 60 * 60

/** `folder` is a folder for this question alone; the store must have the new commit. Gives undefined where history does not tell. */
export async function descends(
  store: Store,
  [from, to]: readonly [string, string],
  folder: string,
  reach: (work: (remote: Remote) => Promise<boolean | undefined>) => Promise<boolean | undefined>,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const [old, fresh] = await contentsOf(store, [from, to], 1024 ** 2, signal)
  if (fresh === undefined) return undefined
  if (parentsIn(fresh).includes(from)) return true
  try {
    return await reach(async (remote) => {
      await rm(folder, { recursive: true, force: true })
      await makeBare(folder, from.length)
      if (old !== undefined) await borrow(store, folder, from)
      for (const depth of depths) {
        const fetch = { folder, refs: [`+${to}:refs/tend/to`], depth, filter: 'tree:0' }
        await fetchInto(remote, { ...fetch, limit, mostBytes }, signal)
        const answer = await answerIn({ ...store, folder }, from, to, timeIn(old), signal)
        if (answer !== undefined) return answer
      }
      return undefined
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What was fetched of the old commit is not sent again by servers that leave nothing out. */
async function borrow({ folder: lender }: Store, folder: string, from: string): Promise<void> {
  await mkdir(join(folder, 'objects/info'), { recursive: true })
  await writeFile(join(folder, 'objects/info/alternates'), `${join(lender, 'objects')}\n`)
  await mkdir(join(folder, 'refs/tend'), { recursive: true })
  await writeFile(join(folder, 'refs/tend/from'), `${from}\n`)
  // a store with the whole history has no such file
  const shallow = await readFile(join(lender, 'shallow'), 'utf8').catch(() => '')
  if (shallow !== '') await writeFile(join(folder, 'shallow'), shallow)
}

async function answerIn(
  store: Store,
  from: string,
  to: string,
  time: number,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const history = await historyOf(store, to, signal)
  if (history.has(from)) return true
  // a store with the whole history has no such file
  const ends = (await readFile(join(store.folder, 'shallow'), 'utf8').catch(() => '')).split('\n')
  const isBehind = (end: string): boolean => (history.get(end) ?? 0) < time - wrong
  const own = ends.filter((end) => history.has(end))
  // what is older than the old one does not come from it
  return own.every(isBehind) ? false : undefined
}

function parentsIn(commit: Buffer): readonly string[] {
  return [...headerOf(commit).matchAll(/^parent ([0-9a-f]+)$/gm)].map((found) => defined(found[1]))
}

/** The time of a commit in seconds; -Infinity for one that was not fetched. */
function timeIn(commit: Buffer | undefined): number {
  const text = commit === undefined ? '' : headerOf(commit)
  return Number(/^committer .* (\d+) [+-]\d+$/m.exec(text)?.[1] ?? -Infinity)
}

function headerOf(commit: Buffer): string {
  const text = commit.toString('latin1')
  return text.slice(0, Math.max(0, text.indexOf('\n\n')))
}
