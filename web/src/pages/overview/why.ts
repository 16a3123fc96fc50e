/** Why an application is not well, or not as declared. A row has room for few words: they begin with why, and where it comes from is in the whole text. */
import type { AppRow } from '#model/api.ts'

type Told = Pick<AppRow, 'health' | 'sync' | 'reason' | 'source'>

/** As the service says it: health first, it hurts more. */
export function wholeWhyOf({ health, sync, reason }: Told): string {
  if (health.state !== 'healthy' && health.reason !== '') return health.reason
  if (sync.state !== 'synced' && sync.reason !== '') return sync.reason
  return reason
}

export function whyOf(app: Told): string {
  const whole = wholeWhyOf(app)
  const from = `${app.source.shown}: `
  const what = whole.startsWith(from) ? whole.slice(from.length) : whole.replace(address, '')
  return what.replace(subject, '').replace(newer, 'newer waits')
}

/** At the beginning, of a repository or a folder; a file with its line says where to mend it. */
const address = /^(?:[a-z+]+:\/\/|\/|[\w.-]+@[\w.-]+:)\S*(?<!:\d+): (?=\S)/
const subject = /^the (?:commit|tag) \S+ is not used: (?:it is )?/
/** The mark beside it says behind. */
const newer = /^its source has something newer, which waits/
