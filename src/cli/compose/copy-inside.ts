/** Copies files of this machine into running containers, and removes there what is gone here. */
import { lstat, readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { putFiles } from '#clients/docker/archive.ts'
import type { Docker } from '#clients/docker/client.ts'
import { execIn } from '#clients/docker/exec.ts'
import { tarBytes, type TarEntry } from '#clients/docker/tar.ts'
import { Problem } from '#model/problem.ts'
import type { Watcher } from './watched-changes.ts'

export type Copies = {
  readonly entries: readonly TarEntry[]
  /** The paths in the container that are removed. */
  readonly gone: readonly string[]
}

export async function copiesOf(paths: ReadonlyMap<string, Watcher>): Promise<Copies> {
  const entries: TarEntry[] = []
  const gone: string[] = []
  for (const [path, watcher] of paths) {
    const found = await entriesBelow(path, watcher)
    entries.push(...found)
    // a root that vanished is being replaced: what the container has of it is left
    const isGone = found.length === 0 && path !== watcher.rule.path && (await isAbsent(path))
    if (isGone) gone.push(watcher.inside(path))
  }
  return { entries, gone }
}

export async function copyInto(
  docker: Docker,
  container: string,
  { entries, gone }: Copies,
  signal: AbortSignal,
): Promise<void> {
  if (gone.length > 0) {
    const said: string[] = []
    const command = ['rm', '-rf', '--', ...gone]
    const exec = { command, user: '0', report: (line: string) => void said.push(line) }
    const code = await execIn(docker, container, exec, signal)
    if (code !== 0) throw notRemoved(container, gone, said)
  }
  if (entries.length > 0) await putFiles(docker, container, '/', tarBytes(entries), signal)
}

/** Empty where nothing is there, or nothing that counts. */
async function entriesBelow(path: string, watcher: Watcher): Promise<readonly TarEntry[]> {
  try {
    const found = await lstat(path)
    const time = Math.floor(found.mtimeMs / 1000)
    const about = {
      path: watcher.inside(path).replace(/^\/+/, ''),
      mode: found.mode & 0o7777,
      time,
    }
    if (found.isSymbolicLink()) return [{ ...about, type: 'link', target: await readlink(path) }]
    if (found.isFile()) return [{ ...about, type: 'file', content: await readFile(path) }]
    if (!found.isDirectory()) return []
    const names = await readdir(path)
    const below = names
      .toSorted()
      .map((name) => join(path, name))
      .filter((inner) => watcher.heeds(inner) || !watcher.skips(inner))
    const all = await Promise.all(below.map((inner) => entriesBelow(inner, watcher)))
    // the root is the container's own folder: its owner and mode stay as they are
    const isNew = path !== watcher.rule.path && watcher.heeds(path)
    return isNew ? [{ ...about, type: 'folder' }, ...all.flat()] : all.flat()
  } catch (error) {
    // it went away in this moment, and that is heard too
    if (await isAbsent(path)) return []
    throw error
  }
}

async function isAbsent(path: string): Promise<boolean> {
  return lstat(path).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT' || error.code === 'ENOTDIR',
  )
}

function notRemoved(
  container: string,
  gone: readonly string[],
  details: readonly string[],
): Problem {
  return new Problem({
    type: 'runtime',
    code: 'exited',
    message: `could not remove ${gone.join(', ')} in container ${container}`,
    details,
    suggestion: 'the container needs rm for it; a rule with the action rebuild needs nothing',
  })
}
