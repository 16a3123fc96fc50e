/** The confinement of an application that is followed: what it may bind is looked at on the disk, before it is created and started. */
import { realpathSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import type { TaskRunner } from '#model/render.ts'
import { Problem } from '#model/problem.ts'
import { isBelow, isStrictlyBelow, judge, type Policy } from '#model/policy.ts'

export type Confinement = {
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

/** Throws a problem where a bind is denied. `others`: the binds and volumes of all containers of the engine. */
export function assertConfined(
  confinement: Confinement,
  own: readonly HostBind[],
  others: readonly HostBind[],
  warn: (text: string) => void,
): void {
  if (confinement.policy.outsideBinds === 'allow') return
  const around = [...others, ...own].map((other) => ({ ...other, real: realOf(other.path) }))
  for (const bind of own) {
    const fault = faultOf(confinement, bind, around)
    if (fault === undefined) continue
    const { what, instead } = fault
    const judged = judge(confinement.policy, { rule: 'outsideBinds', what, instead })
    if (judged === undefined) continue
    if (!judged.isDenied) warn(judged.message)
    else {
      const { message, suggestion } = judged
      throw new Problem({ type: 'runtime', code: 'denied', message, suggestion })
    }
  }
}

type Fault = { readonly what: string; readonly instead: string }

function faultOf(
  confinement: Confinement,
  bind: HostBind,
  others: readonly (HostBind & { readonly real: string })[],
): Fault | undefined {
  const place = placeOf(confinement, bind)
  if ('what' in place) return place
  const paths = [normalize(bind.path), place.real]
  const { seenAs } = confinement.files
  for (const other of others) {
    // whoever writes the root of the host needs no link to reach it
    if (normalize(other.path) === '/') continue
    const around = [normalize(other.path), other.real]
    const lies = (inner: readonly string[], outer: readonly string[]): boolean =>
      outer.some((above) => inner.some((below) => isStrictlyBelow(below, above)))
    // whoever has all files that were laid down is Tend itself, in a container
    const isAbove =
      other.isWritable && lies(paths, around) && !(place.isLaid && holds(other, seenAs))
    if (isAbove) return writtenAbove(bind, other)
    if (bind.isWritable && lies(around, paths)) return boundBelow(bind, other)
  }
  return undefined
}

function holds(other: HostBind, folder: string): boolean {
  return isBelow(folder, other.path)
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
