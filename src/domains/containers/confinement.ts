/** The confinement of an application that is followed: what it may bind is looked at on the disk, before it is created and started. */
import { realpathSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import type { KnownSources } from '#sources/application-source.ts'
import type { Neighbour } from '#model/application-kind.ts'
import type { TaskRunner } from '#model/render.ts'
import { Problem } from '#model/problem.ts'
import { isBelow, judge, type Policy } from '#model/policy.ts'
import { yieldToEventLoop } from '#model/yield-to-event-loop.ts'
import { bindIndex, type BindIndex } from './bind-index.ts'

export type Confinement = {
  /** As its labels have it, and its key in there: two instances may follow the same application, one after the other. */
  readonly owner: string
  readonly key: string
  /** Where it comes from now; undefined of one that is declared no more. */
  readonly source: string | undefined
  readonly sources: KnownSources
  readonly policy: Policy
  /** Folders of the application's own that lie where they are: that of a directory which is followed. */
  readonly ownRoots: readonly string[]
  /** Where files of repositories are laid down: on this machine, and as the engine sees it. */
  readonly files: {
    readonly folder: string
    readonly seenAs: string
    /** Tend's own folder, with its database and its key. */
    readonly home: string
  }
  /** The folder in there that this application may write. */
  readonly ownFolder: string
  /** Whether the engine finds a path of this machine under the same name. */
  sees(path: string): boolean
  /** Where work is done whose cost its files decide. */
  readonly tasks: TaskRunner
  /** What its builds are known by to the engine, and to nobody else. */
  readonly cacheKey: string
  /** Another application that the service follows on this engine, by its key; undefined: there is none. */
  neighbour(key: string): Neighbour | undefined
}

export type HostBind = {
  /** As the engine is told, absolute. */
  readonly path: string
  readonly isWritable: boolean
  /** The container. */
  readonly holder: string
  /** It is a part of this folder, which is the application's own: the place of a named volume. */
  readonly base?: string
}

/** Of one container: each of its mounts is looked at on the disk, before every create and every start. */
const mostMounts = 1_000

/**
 * Throws a problem where a bind is denied. `others`: the binds and volumes of all containers of the engine. In turns with others,
 * because a repository decides how many there are.
 */
export async function assertConfined(
  confinement: Confinement,
  own: readonly HostBind[],
  others: readonly HostBind[],
  warn: (text: string) => void,
): Promise<void> {
  if (confinement.policy.outsideBinds === 'allow') return
  if (own.length > mostMounts) throw tooMany(own)
  const breathe = yieldToEventLoop()
  const around: RealPath[] = []
  for (const other of [...others, ...own]) {
    around.push({ ...other, real: realOf(other.path) })
    await breathe()
  }
  const index = bindIndex(around)
  for (const bind of own) {
    await breathe()
    const fault = faultOf(confinement, bind, index)
    if (fault === undefined) continue
    const judged = judge(confinement.policy, { rule: 'outsideBinds', ...fault })
    if (judged === undefined) continue
    if (!judged.isDenied) warn(judged.message)
    else {
      const { message, suggestion } = judged
      throw new Problem({ type: 'runtime', code: 'denied', message, suggestion })
    }
  }
}

type RealPath = HostBind & { readonly real: string }
type Fault = { readonly what: string; readonly instead: string; readonly root?: string }

function tooMany(own: readonly HostBind[]): Problem {
  return new Problem({
    type: 'runtime',
    code: 'denied',
    message: `${own[0]?.holder ?? 'it'} has ${own.length} mounts, more than the ${mostMounts} that are looked at`,
    suggestion: 'mount the folder that they lie in',
  })
}

function faultOf(confinement: Confinement, bind: HostBind, index: BindIndex): Fault | undefined {
  const place = placeOf(confinement, bind)
  if ('what' in place) return place
  const { seenAs } = confinement.files
  // whoever has all files that were laid down is Tend itself, in a container
  const isExempt = (other: HostBind): boolean => place.isLaid && isBelow(seenAs, other.path)
  for (const path of new Set([bind.path, place.real])) {
    const above = index.writableAbove(path, isExempt)
    if (above !== undefined) return writtenAbove(bind, above)
    const below = bind.isWritable ? index.below(path) : undefined
    if (below !== undefined) return boundBelow(bind, below)
  }
  return undefined
}

type RealBind = { readonly real: string; readonly isLaid: boolean }

/** Where a bind really leads, or why it leads where it must not. */
function placeOf(confinement: Confinement, bind: HostBind): RealBind | Fault {
  const path = normalize(bind.path)
  const { files, ownFolder, ownRoots, policy } = confinement
  // behind a link `..` leads elsewhere than it reads
  if (bind.path.split('/').includes('..')) return outside(bind)
  const laid = isBelow(path, files.seenAs) ? relative(files.seenAs, path) : undefined
  if (laid !== undefined) {
    const [first = ''] = laid.split('/')
    if (first !== ownFolder && !/^[0-9a-f]{16}$/.test(first)) return outside(bind)
    const real = realOf(join(files.folder, laid))
    if (real !== join(realOf(files.folder), laid)) return leadsAway(bind, real)
    return { real: path, isLaid: true }
  }
  if (reachesFiles(confinement, path)) return outside(bind)
  const roots = [
    ...(bind.base === undefined ? [] : [bind.base]),
    ...ownRoots,
    ...policy.allowedRoots,
  ]
  const near = roots.filter((root) => isBelow(path, root))
  if (near.length === 0) return outside(bind)
  if (!confinement.sees(path)) return unseen(bind)
  const real = realOf(path)
  if (reachesFiles(confinement, real)) return outside(bind)
  if (!near.some((root) => isBelow(real, realOf(root)))) return leadsAway(bind, real)
  return { real, isLaid: false }
}

/** Tend's own folders, and what holds them, are nobody's to bind. */
function reachesFiles({ files }: Confinement, path: string): boolean {
  return [files.folder, files.seenAs, files.home].some(
    (folder) => isBelow(path, folder) || isBelow(folder, path),
  )
}

/** The real path of a file that this machine reads for the application: below its own folders, or a problem. */
export function ownFileAt({ files, ownRoots }: Confinement, path: string): string {
  const real = realOf(path)
  const isOwn = [files.folder, ...ownRoots].some(
    (root) => isBelow(path, root) && isBelow(real, realOf(root)),
  )
  // a file that was laid down is a copy, and none of them is a link
  const isLaid = isBelow(path, files.folder)
  if (isOwn && !(isLaid && real !== join(realOf(files.folder), relative(files.folder, path)))) {
    return real
  }
  throw new Problem({
    type: 'runtime',
    code: 'denied',
    message: `${path} is read for a build, and leads to ${real}, which is not the application's own`,
    suggestion: 'remove the link, or put a copy of the file in its place',
  })
}

/** With all links followed, also where the last parts of it are not there yet. */
export function realOf(path: string): string {
  const whole = normalize(path)
  const tidy = whole.length > 1 && whole.endsWith('/') ? whole.slice(0, -1) : whole
  try {
    return realpathSync.native(tidy)
  } catch {
    // it is not there: the part that is there is followed
    const above = dirname(tidy)
    return above === tidy ? tidy : join(realOf(above), tidy.slice(above.length))
  }
}

function leadsAway({ holder, path }: HostBind, real: string): Fault {
  return {
    what: `${holder}: a mount of ${path}, where a link leads to ${real},`,
    instead: 'remove the link, or mount another path',
  }
}

function outside({ holder, path }: HostBind): Fault {
  return { what: `${holder}: a mount of ${path}`, instead: 'take it out' }
}

function unseen({ holder, path }: HostBind): Fault {
  return {
    what: `${holder}: a mount of ${path}, which can't be checked because Tend does not see the files of this engine's host,`,
    instead: `run Tend on that host, or give its container the same path (-v ${path}:${path}:ro)`,
  }
}

function writtenAbove({ holder, path }: HostBind, other: HostBind): Fault {
  return {
    what: `${holder}: a mount of ${path}, which lies in ${other.path}, which the container ${other.holder} may write,`,
    instead: `mount another folder, or take the mount out of ${other.holder} and sync that first`,
  }
}

function boundBelow({ holder, path }: HostBind, other: HostBind): Fault {
  return {
    what: `${holder}: a writable mount of ${path}, in which the container ${other.holder} mounts ${other.path},`,
    instead: `mount it read-only, or take the mount out of ${other.holder} and sync that first`,
  }
}
