/** `tend install`: makes what a chart declares. Installing twice changes nothing. */
import type { Invocation } from '../arguments/invocation.ts'
import { chartWord } from '../chart/here.ts'
import type { Desk } from '../session.ts'
import { applyChart } from './apply.ts'

export async function install(invocation: Invocation, desk: Desk): Promise<number> {
  const { flags } = invocation
  return applyChart(chartWord(invocation), 'Installing chart', flags, desk)
}
