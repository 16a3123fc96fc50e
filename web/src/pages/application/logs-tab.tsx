/** The logs of all containers of an application, as one. */
import type { AppDetail } from '#model/api.ts'
import { Empty } from '../../parts/asked-view.tsx'
import { LogView } from './log-view.tsx'

export function LogsTab({ app: { key, hasLogs, lastRun } }: { readonly app: AppDetail }) {
  if (!hasLogs) return <Empty icon="box" title="There are no logs where it runs" />
  return <LogView appKey={key} round={lastRun?.at ?? 0} />
}
