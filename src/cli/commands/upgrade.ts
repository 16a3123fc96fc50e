/** `tend upgrade`: changes what runs to what the chart declares now. */
import type { Invocation } from '../arguments/invocation.ts'
import { chartWord } from '../chart/here.ts'
import type { CommandContext } from '../session.ts'
import { applyChart } from './apply.ts'

export async function upgrade(invocation: Invocation, context: CommandContext): Promise<number> {
  const { flags } = invocation
  return applyChart(chartWord(invocation), 'Upgrading chart', flags, context)
}
