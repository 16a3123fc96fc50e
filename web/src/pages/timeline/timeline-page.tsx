/** One line of time over everything: what happened, who pressed what, and what changed before something broke. */
import { useEffect } from 'preact/hooks'
import { follow } from '../../api/stream.ts'
import { Icon } from '../../parts/icon.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Ago } from '../../parts/time.tsx'
import { address } from '../../state/address.ts'
import { appLink } from '../../state/links.ts'
import { TimelineView } from './timeline-view.tsx'

export function TimelinePage() {
  const { broke, about, app } = address.value.query
  const at = broke === undefined ? undefined : Number(broke)
  useEffect(() => {
    document.title = 'Timeline · Tend'
    follow({})
  }, [])
  return (
    <>
      <div class="page-head">
        <h1>{at === undefined ? 'Timeline' : 'What changed before this broke?'}</h1>
        {app !== undefined && <span class="pill">{app}</span>}
      </div>
      {at !== undefined && about !== undefined && (
        <Notice tone="info" icon="clock">
          <a class="link" href={appLink(about)}>
            {about}
          </a>{' '}
          changed <Ago at={at} />. Shown is everything of every application in the hour before,
          newest first.{' '}
          <a class="link" href="/timeline">
            <Icon name="cross" /> The whole timeline
          </a>
        </Notice>
      )}
      <TimelineView appKey={app} round={0} isWhole />
    </>
  )
}
