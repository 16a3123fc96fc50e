/** `tend plan`: what an upgrade would do, and why. */
import type { Invocation } from '../arguments/invocation.ts'
import type { Desk } from '../session.ts'
import { applyChart } from './apply.ts'

export function plan({ words, flags }: Invocation, desk: Desk): Promise<number> {
  const [word = ''] = words
  const space = flags.namespace === null ? '' : ` -n ${flags.namespace}`
  const apply = `Apply with: tend upgrade ${word}${space}`
  return applyChart(word, 'Planning chart', { ...flags, isDryRun: true }, desk, {
    explains: true,
    apply,
  })
}
