/** `tend install`: makes what a chart declares. Installing twice changes nothing. */
import type { Invocation } from '../arguments/invocation.ts'
import { applyFolder, kindOfFolder } from '../application/folder.ts'
import { chartWord } from '../chart/here.ts'
import type { CommandContext } from '../session.ts'
import { applyChart } from './apply.ts'

export async function install(invocation: Invocation, context: CommandContext): Promise<number> {
  const { flags } = invocation
  const word = chartWord(invocation)
  const kind = kindOfFolder(word)
  if (kind === undefined) return applyChart(word, 'Installing chart', flags, context)
  return applyFolder(kind, word, { doing: `Installing ${kind.name}` }, flags, context)
}
