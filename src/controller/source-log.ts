/** Sources in the log: a trouble once, however often it is met again, and its end. */
import type { SourceStatus } from '#model/service.ts'
import type { Log } from './log.ts'

export function sourceLog(log: Log): (status: SourceStatus) => void {
  const troubles = new Map<string, { readonly since: number; readonly message: string }>()
  return ({ shown, ref, state, problem, at }) => {
    const key = `${shown} ${ref}`
    const known = troubles.get(key)
    const facts = { source: shown, ref }
    if (state === 'failed') {
      const message = problem?.message ?? ''
      if (known?.message === message) return
      troubles.set(key, { since: known?.since ?? at, message })
      log('error', message, facts)
    } else if (state === 'completed' && known !== undefined) {
      troubles.delete(key)
      const seconds = Math.round((at - known.since) / 1000)
      log('info', 'the source can be read again', { ...facts, seconds })
    }
  }
}
