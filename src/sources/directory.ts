/** A directory as a snapshot: no path leaves it, and what was read once stays what it was. */
import { realpathSync, statSync } from 'node:fs'
import { join, normalize } from 'node:path/posix'
import { Problem } from '#model/problem.ts'
import type { Tree } from '#model/tree.ts'
import { yieldToEventLoop, sortedInTurns } from '#model/yield-to-event-loop.ts'
import { codeOf, readOpened, resolved, unreadable, type Root } from './confined.ts'
import { ignoreRules, type Ignore } from './ignore.ts'
import { filesInTurns, filesOf } from './walk.ts'

type TreeOptions = {
  /** The name of the directory in messages; by default its path. */
  readonly shown?: string
  readonly mostFiles?: number
  readonly largestFile?: number
  /** Whether a `.helmignore` in its root counts; by default it does. */
  readonly hasIgnoreFile?: boolean
  /** Links that lead out or nowhere are left out of lists instead of spoiling them; reading one is refused all the same. */
  readonly skipsBadLinks?: boolean
  /** Whether contents are kept for the next who asks; by default they are. Without it the files may not change. */
  readonly keepsContents?: boolean
  /** The files that a walk through the directory found. */
  readonly listed?: { readonly files: readonly string[]; readonly skipped: readonly string[] }
  /** All files by path with an id of their content, none of them a link: then nothing is looked for on disk. */
  readonly ids?: ReadonlyMap<string, string>
}

/** Reads the list of files in small turns, so that a large folder does not block the event loop. */
export async function listedTree(path: string, options: TreeOptions = {}): Promise<Tree> {
  const { mostFiles = usualFiles, ids } = options
  if (options.hasIgnoreFile ?? true) return directoryTree(path, options)
  if (ids !== undefined) {
    const files = await sortedInTurns([...ids.keys()], yieldToEventLoop())
    return directoryTree(path, { ...options, listed: { files, skipped: [] } })
  }
  const root = { shown: options.shown ?? path, real: realRoot(path) }
  const skipped: string[] = []
  const skips = options.skipsBadLinks === true ? (link: string) => skipped.push(link) : undefined
  try {
    const files = await filesInTurns(root, ignoring(''), { mostFiles, skips })
    return directoryTree(path, { ...options, listed: { files, skipped } })
  } catch {
    // whoever asks for the list is told what is wrong with it
    return directoryTree(path, options)
  }
}

const usualFiles = 5000

export function directoryTree(path: string, options: TreeOptions = {}): Tree {
  const { mostFiles = usualFiles, largestFile = 10 * 1024 * 1024, skipsBadLinks = false } = options
  const root = { shown: options.shown ?? path, real: realRoot(path) }
  const rules =
    (options.hasIgnoreFile ?? true) ? readInside(root, '.helmignore', largestFile) : undefined
  const isIgnored = ignoring(rules === undefined ? '' : new TextDecoder().decode(rules))
  const { ids } = options
  const contents = new Map<string, Uint8Array | undefined>()
  let files = options.listed?.files
  const skipped = [...(options.listed?.skipped ?? [])]

  function list(folder: string): readonly string[] {
    const inside = insideOf(root, folder)
    files ??= ids === undefined ? walked() : [...ids.keys()].toSorted()
    return inside === '' ? files : files.filter((file) => file.startsWith(`${inside}/`))
  }

  function walked(): readonly string[] {
    const skips = skipsBadLinks ? (link: string) => void skipped.push(link) : undefined
    return filesOf(root, isIgnored, { mostFiles, skips })
  }

  function badLinks(): readonly string[] {
    list('')
    return skipped
  }

  function read(file: string): Uint8Array | undefined {
    const inside = insideOf(root, file)
    if (ids !== undefined && !ids.has(inside)) return undefined
    if (contents.has(inside)) return contents.get(inside)
    const content = isLeftOut(inside, isIgnored) ? undefined : readInside(root, inside, largestFile)
    if (options.keepsContents ?? true) contents.set(inside, content)
    return content
  }

  function sizeOf(file: string): number {
    const inside = insideOf(root, file)
    if (ids !== undefined && !ids.has(inside)) return 0
    const real = resolved(root, inside)
    return real === undefined ? 0 : (statSync(real, { throwIfNoEntry: false })?.size ?? 0)
  }

  const told = { root: root.shown, list, read, badLinks, sizeOf }
  return ids === undefined ? told : { ...told, idOf: (path) => ids.get(insideOf(root, path)) ?? '' }
}

function realRoot(path: string): string {
  try {
    const real = realpathSync.native(path)
    if (statSync(real).isDirectory()) return real
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw unreadable(path, error)
    throw new Problem({
      type: 'configuration',
      code: 'chart_unreadable',
      message: `there is no folder ${path}`,
      suggestion: 'Check the path; it is taken from the folder the command runs in.',
    })
  }
  throw new Problem({
    type: 'configuration',
    code: 'chart_unreadable',
    message: `${path} is a file, not a folder`,
    suggestion: 'Give the folder that holds it.',
  })
}

/** Records of version control are never part of a snapshot. */
function ignoring(rules: string): Ignore {
  const isListed = ignoreRules(rules)
  return (path, isFolder) => /(^|\/)\.git$/.test(path) || isListed(path, isFolder)
}

/** The path from the root with `.` and `..` worked out; '' for the root itself. */
function insideOf(root: Root, path: string): string {
  const inside = normalize(path === '' ? '.' : path).replace(/\/$/, '')
  const leaves = inside === '..' || inside.startsWith('../') || path.startsWith('/')
  if (!leaves && !path.includes('\0')) return inside === '.' ? '' : inside
  throw new Problem({
    type: 'configuration',
    code: 'chart_unreadable',
    message: `the path ${JSON.stringify(path)} leaves ${root.shown}`,
    suggestion: 'Only files inside it can be used, by paths relative to it.',
  })
}

function isLeftOut(inside: string, isIgnored: Ignore): boolean {
  const names = inside.split('/')
  return names.some((_, i) => isIgnored(names.slice(0, i + 1).join('/'), i < names.length - 1))
}

function readInside(root: Root, inside: string, largest: number): Uint8Array | undefined {
  const real = resolved(root, inside)
  if (real === undefined) return undefined
  const shown = join(root.shown, inside)
  try {
    const found = statSync(real)
    if (found.isDirectory()) return undefined
    if (!found.isFile()) throw notAFile(shown)
    if (found.size > largest) throw tooLarge(shown, found.size, largest)
    return readOpened(root, inside, real)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error instanceof Problem ? error : unreadable(shown, error)
  }
}

/** A pipe is refused: reading it would wait for ever for somebody to write. */
function notAFile(shown: string): Problem {
  return new Problem({
    type: 'configuration',
    code: 'chart_unreadable',
    message: `${shown} is a pipe, a socket or a device, not a file`,
  })
}

function tooLarge(shown: string, size: number, largest: number): Problem {
  const [is, most] = [Math.ceil(size / 1024 ** 2), Math.floor(largest / 1024 ** 2)]
  return new Problem({
    type: 'configuration',
    code: 'chart_unreadable',
    message: `${shown} is too large: ${is} MB, at most ${most} MB are read`,
    suggestion: 'Move it out of the folder, or name it in .helmignore.',
  })
}
