/** Lists the files of a directory, links inside it followed, within limits. */
import { readdirSync, readlinkSync, statSync, type Dirent } from 'node:fs'
import { join } from 'node:path/posix'
import { Problem } from '#model/problem.ts'
import { yieldToEventLoop } from '#model/yield-to-event-loop.ts'
import { circle, resolved, unreadable, type Root } from './confined.ts'
import type { Ignore } from './ignore.ts'

export type Walk = {
  readonly mostFiles: number
  /** Is called with links that lead out or nowhere. Without it such links are problems. */
  readonly skips: ((link: string) => void) | undefined
}

export function filesOf(root: Root, isIgnored: Ignore, walk: Walk): readonly string[] {
  const steps = filesStepwise(root, isIgnored, walk)
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}

/** Lists files with pauses, so that others have their turn meanwhile. */
export async function filesInTurns(
  root: Root,
  isIgnored: Ignore,
  walk: Walk,
): Promise<readonly string[]> {
  const breathe = yieldToEventLoop()
  const steps = filesStepwise(root, isIgnored, walk)
  let step = steps.next()
  for (; step.done !== true; step = steps.next()) await breathe()
  return step.value
}

/** Gives one file at a time. */
function* filesStepwise(
  root: Root,
  isIgnored: Ignore,
  walk: Walk,
): Generator<void, readonly string[]> {
  const files: string[] = []
  let folders = 0

  /** `above` holds the real folders on the way here. */
  function* visit(folder: string, real: string, above: readonly string[]): Generator<void> {
    folders += 1
    const here = [...above, real]
    for (const entry of entriesOf(root, folder, real)) {
      const path = join(folder, entry.name)
      if (isIgnored(path, entry.isDirectory())) continue
      if (entry.isSymbolicLink()) yield* attempt(path, here)
      else if (entry.isDirectory()) yield* visit(path, join(real, entry.name), here)
      else if (entry.isFile()) files.push(path)
      if (Math.max(files.length, folders) > walk.mostFiles) throw tooMany(root, walk.mostFiles)
      yield
    }
  }

  function* attempt(link: string, above: readonly string[]): Generator<void> {
    if (walk.skips === undefined || isGood(root, link, above)) yield* follow(link, above)
    else if (!isEditorLock(link)) walk.skips(link)
  }

  function* follow(link: string, above: readonly string[]): Generator<void> {
    const real = resolved(root, link)
    if (real === undefined) {
      if (isEditorLock(link)) return
      throw leadsNowhere(root, link)
    }
    const target = statSync(real)
    if (target.isFile()) files.push(link)
    if (!target.isDirectory() || isIgnored(link, true)) return
    if (isAbove(real, above)) throw circle(root, link)
    yield* visit(link, real, above)
  }

  yield* visit('', root.real, [])
  return files.toSorted()
}

function isAbove(real: string, above: readonly string[]): boolean {
  return above.some((one) => `${one}/`.startsWith(`${real}/`))
}

function isGood(root: Root, link: string, above: readonly string[]): boolean {
  try {
    const real = resolved(root, link)
    return real !== undefined && !isAbove(real, above)
  } catch {
    // a link that can't be followed leads nowhere
    return false
  }
}

function entriesOf(root: Root, folder: string, real: string): readonly Dirent[] {
  try {
    return readdirSync(real, { withFileTypes: true })
  } catch (error) {
    throw unreadable(join(root.shown, folder), error)
  }
}

/** Emacs marks an open file with a link `.#name` to nothing. */
function isEditorLock(path: string): boolean {
  return path.slice(path.lastIndexOf('/') + 1).startsWith('.#')
}

function leadsNowhere(root: Root, link: string): Problem {
  const target = readlinkSync(join(root.real, link))
  return new Problem({
    type: 'configuration',
    code: 'chart_unreadable',
    message: `${join(root.shown, link)} is a link to ${target}, which is not there`,
    suggestion: 'Remove the link, or name it in .helmignore.',
  })
}

function tooMany(root: Root, mostFiles: number): Problem {
  return new Problem({
    type: 'configuration',
    code: 'chart_unreadable',
    message: `${root.shown} holds more than ${mostFiles} files or folders`,
    suggestion: 'Give the folder of the application itself, or name the rest in .helmignore.',
  })
}
