/** `tend install`: makes what a chart declares. Installing twice changes nothing. */
import type { Invocation } from '../arguments/invocation.ts'
import type { Desk } from '../session.ts'
import { applyChart } from './apply.ts'

export function install({ words, flags }: Invocation, desk: Desk): Promise<number> {
  return applyChart(words[0]!, 'Installing chart', flags, desk)
}
