/** `tend plan`: what an upgrade would do, and why. */
import type { Invocation } from '../arguments/invocation.ts'
import { flagWords } from '../chart/values-words.ts'
import type { Desk } from '../session.ts'
import { applyChart } from './apply.ts'

export function plan({ words, flags }: Invocation, desk: Desk): Promise<number> {
  const [word = ''] = words
  const wish = { ...flags, isDryRun: true }
  return applyChart(word, 'Planning chart', wish, desk, ({ record }) => ({
    explains: true,
    apply: `Apply with: tend ${record === undefined ? 'install' : 'upgrade'} ${word}${flagWords(flags)}`,
  }))
}
