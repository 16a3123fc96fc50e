/** What a part of a page could not get. While the service is away the head of the page says so for all of them. */
import type { Trouble } from '../api/request.ts'
import { connection } from '../api/stream.ts'
import { TroubleNotice } from './notice.tsx'

export function PageTrouble({
  trouble,
  retry,
  isEmpty = false,
}: {
  readonly trouble: Trouble
  readonly retry?: () => void
  /** There is nothing older to show in its place. */
  readonly isEmpty?: boolean
}) {
  if (trouble.status !== 0 || connection.value !== 'lost') {
    return <TroubleNotice trouble={trouble} {...(retry === undefined ? {} : { retry })} />
  }
  return isEmpty ? <p class="muted">This is shown when the service is back.</p> : null
}
