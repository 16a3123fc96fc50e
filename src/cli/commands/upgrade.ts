/** `tend upgrade`: changes what runs to what the chart declares now. */
import type { Invocation } from '../arguments/invocation.ts'
import type { Desk } from '../session.ts'
import { applyChart } from './apply.ts'

export function upgrade({ words, flags }: Invocation, desk: Desk): Promise<number> {
  return applyChart(words[0]!, 'Upgrading chart', flags, desk)
}
