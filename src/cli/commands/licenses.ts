/** `tend licenses`: whose work is inside, and under which licences. The build lists it in licenses.json, inside or beside the program. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { getAsset, isSea } from 'node:sea'
import { Problem } from '#model/problem.ts'
import type { Invocation } from '../arguments/invocation.ts'
import type { CommandContext } from '../session.ts'
import { columns } from '../views/columns.ts'

export type Licensed = {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly text: string
}

export async function licenses(
  { flags }: Invocation,
  { session, screen }: CommandContext,
): Promise<number> {
  const parts = listed(join(dirname(session.launcher), 'licenses.json'))
  const shown = flags.isVerbose
    ? parts
    : parts.map(({ name, version, license }) => ({ name, version, license }))
  if (screen.format !== 'table') await screen.document({ licenses: shown })
  else if (flags.isVerbose) screen.print(parts.flatMap(whole))
  else {
    const rows = parts.map(({ name, version, license }) => [name, version, license])
    screen.print(columns(['NAME', 'VERSION', 'LICENCE'], rows))
  }
  return 0
}

function listed(file: string): readonly Licensed[] {
  try {
    return JSON.parse(isSea() ? getAsset('licenses.json', 'utf8') : readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new Problem({
      type: 'configuration',
      code: 'not_found',
      message: `the list of licences can't be read: ${file}`,
      suggestion:
        'only a release has it; from source, look at LICENSE here and in each folder of node_modules',
      cause,
    })
  }
}

function whole({ name, version, license, text }: Licensed): readonly string[] {
  const title = `${name} ${version}: ${license}`
  return [title, '='.repeat(title.length), '', text.trim(), '', '']
}
