/** Whether an engine sees the files of this process under their own paths, when that process runs in a container. */
import { existsSync, readFileSync, realpathSync } from 'node:fs'

export type Surroundings = {
  readonly isContained: boolean
  /** /proc/self/mountinfo */
  readonly mounts: string
}

function ownSurroundings(): Surroundings {
  const isContained = ['/.dockerenv', '/run/.containerenv'].some((file) => existsSync(file))
  try {
    return { isContained, mounts: isContained ? readFileSync('/proc/self/mountinfo', 'utf8') : '' }
  } catch {
    // without /proc no path can be told from one of the host
    return { isContained: false, mounts: '' }
  }
}

/** The mounts of this process do not change while it lives, so they are read once. */
let own: Surroundings | undefined

/**
 * A socket that was mounted into the container leads to an engine outside of it. That one sees a folder only if it was mounted
 * too, and finds it under the same path only if it has the same one outside.
 */
export function isSeenThrough(
  address: string,
  folder: string,
  { isContained, mounts }: Surroundings = (own ??= ownSurroundings()),
): boolean {
  if (!isContained) return true
  const all = mountsIn(mounts)
  const door = mountOf(all, real(address.replace(/^unix:\/\//, '')))
  if (door === undefined || door.root === '/') return true
  const home = mountOf(all, real(folder))
  // what the root of a container holds nobody else sees; a whole disk may be mounted anywhere
  if (home === undefined || home.point === '/') return false
  return home.root === '/' || home.point.endsWith(home.root)
}

type Mount = {
  readonly point: string
  /** What of the file system is mounted there. */
  readonly root: string
}

function mountsIn(text: string): readonly Mount[] {
  return text.split('\n').flatMap((line) => {
    const [, , , root, point] = line.split(' ')
    return root === undefined || point === undefined
      ? []
      : [{ root: plain(root), point: plain(point) }]
  })
}

/** The kernel writes spaces and the like as \\040. */
function plain(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  )
}

/** The last of the longest: what is mounted over another hides it. */
function mountOf(all: readonly Mount[], path: string): Mount | undefined {
  let found: Mount | undefined
  for (const mount of all) {
    const isAbove = `${path}/`.startsWith(mount.point === '/' ? '/' : `${mount.point}/`)
    if (isAbove && mount.point.length >= (found?.point.length ?? 0)) found = mount
  }
  return found
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // what is not there is taken as it is written
    return path
  }
}
