/** `tend create NAME`: a chart to begin with, which lints, renders and installs as it is. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
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
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw refused(`${word} is there already, and is not empty`, 'take another name, or remove it')
  const files = starterFiles(name)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text, { flag: 'wx' })
  }
  const shown = /^[./~]/.test(word) ? word : `./${word}`
  screen.print([
    `Created ${shown}: ${Object.keys(files).join(', ')}`,
    `Look at it with: tend template ${shown}`,
    `Run it with:     tend install ${shown}`,
  ])
  return 0
}

function refused(message: string, suggestion: string): Problem {
  return new Problem({ type: 'configuration', code: 'usage', message, suggestion })
}
