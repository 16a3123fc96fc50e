/** `tend create NAME`: a chart to begin with, which lints, renders and installs as it is. */
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { nameFault } from '#domains/charts/render/schema/terms.ts'
import { Problem } from '#model/problem.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { starterFiles } from '../chart/starter.ts'
import type { CommandContext } from '../session.ts'

export async function create({ words }: Invocation, { screen }: CommandContext): Promise<number> {
  const [word = ''] = words
  const folder = resolve(word)
  const name = basename(folder)
  const fault = nameFault(name)
  if (fault !== undefined) throw refused(fault.message, fault.suggestion ?? 'take another name')
  const files = starterFiles(name)
  try {
    checkFree(folder, word)
    for (const [path, text] of Object.entries(files)) {
      makeFolder(dirname(join(folder, path)))
      writeFileSync(join(folder, path), text, { flag: 'wx' })
    }
  } catch (thrown) {
    if (thrown instanceof Problem) throw thrown
    const why = thrown instanceof Error ? thrown.message : String(thrown)
    throw refused(`${word} can't be made: ${why}`, 'name a place that you may write to')
  }
  const shown = /^[./~]/.test(word) ? word : `./${word}`
  screen.print([
    `Created ${shown}: ${Object.keys(files).join(', ')}`,
    `Look at it with: tend template ${shown}`,
    `Run it with:     tend install ${shown}`,
  ])
  return 0
}

function checkFree(folder: string, word: string): void {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found === undefined) return
  if (!found.isDirectory()) throw refused(`${word} is a file`, 'take another name')
  if (readdirSync(folder).length > 0)
    throw refused(`${word} is there already, and is not empty`, 'take another name, or remove it')
}

/** Not by Node's `recursive`, which never ends where the kernel refuses a folder with ENOENT, as in /proc. */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return
  const above = dirname(folder)
  if (above !== folder) makeFolder(above)
  mkdirSync(folder)
}

function refused(message: string, suggestion: string): Problem {
  return new Problem({ type: 'configuration', code: 'usage', message, suggestion })
}
