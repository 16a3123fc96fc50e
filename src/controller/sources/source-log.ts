/** Sources in the log: a trouble once, however often it is met again, and its end. */
import type { SourceStatus } from '#model/service.ts'
import type { Log } from '#model/log.ts'

/** What was found before `since` was told then. */
export function sourceLog(log: Log, since = 0): (status: SourceStatus) => void {
  const troubles = new Map<string, { readonly since: number; readonly message: string }>()
  const rewrites = new Map<string, number>()
  return ({ shown, ref, revision, state, problem, at, rewritten }) => {
    const key = `${shown} ${ref}`
    const known = troubles.get(key)
    const facts = { source: shown, ref }
    const isNews = rewritten !== undefined && rewritten.at >= since
    if (isNews && rewrites.get(key) !== rewritten.at) {
      rewrites.set(key, rewritten.at)
      log('warning', 'history was rewritten', { ...facts, revision, from: rewritten.from })
    }
    if (state === 'failed') {
      const message = problem?.message ?? ''
      if (known?.message === message) return
      troubles.set(key, { since: known?.since ?? at, message })
      log('error', message, { ...facts, ...(revision === '' ? {} : { kept: revision }) })
    } else if (state === 'completed' && known !== undefined) {
      troubles.delete(key)
      const seconds = Math.round((at - known.since) / 1000)
      log('info', 'the source can be read again', { ...facts, seconds })
    }
  }
}
