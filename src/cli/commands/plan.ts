/** `tend plan`: what an upgrade would do, and why. */
import type { Invocation } from '../arguments/invocation.ts'
import { applyFolder, kindOfFolder } from '../application/folder.ts'
import { chartWord } from '../chart/here.ts'
import { flagWords } from '../chart/flags-again.ts'
import type { CommandContext } from '../session.ts'
import { applyChart } from './apply.ts'

export async function plan(invocation: Invocation, context: CommandContext): Promise<number> {
  const { flags } = invocation
  const word = chartWord(invocation)
  const wish = { ...flags, isDryRun: true }
  const kind = kindOfFolder(word)
  if (kind !== undefined) {
    const apply = `Apply with: tend install ${word}`
    const heading = { doing: `Planning ${kind.name}`, explains: true, apply }
    return applyFolder(kind, word, heading, wish, context)
  }
  return applyChart(word, 'Planning chart', wish, context, ({ record }) => ({
    explains: true,
    apply: `Apply with: tend ${record === undefined ? 'install' : 'upgrade'} ${word}${flagWords(flags)}`,
  }))
}
