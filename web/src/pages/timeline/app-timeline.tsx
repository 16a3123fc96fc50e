/** The time-line of one application. */
import { TimelineView } from './timeline-view.tsx'

export function AppTimeline({
  appKey,
  round,
}: {
  readonly appKey: string
  readonly round: number
}) {
  return <TimelineView appKey={appKey} round={round} />
}
