/** What else is to be known of an application at a glance. */
import type { ComponentChildren } from 'preact'
import type { AppRow } from '#model/api.ts'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { notNewestSince } from './not-newest.ts'

export function Flags({ app }: { readonly app: AppRow }) {
  const { blockedBy } = app
  const isNotNewest = app.refused !== undefined || notNewestSince(app) !== undefined
  return (
    <>
      {app.isUndeclared === true && (
        <Flag
          tone="warn"
          icon="missing"
          title="Its source does not have it any more: it can be forgotten"
        >
          No longer declared
        </Flag>
      )}
      {app.isSuspended && (
        <Flag icon="pause" title="Left as it is until it is resumed">
          Suspended
        </Flag>
      )}
      {app.needsAcknowledgement && (
        <Flag
          tone="warn"
          icon="hand"
          title="It drifted, and waits until somebody says that it may be put right"
        >
          Waits for you
        </Flag>
      )}
      {blockedBy.length > 0 && (
        <Flag tone="info" icon="lock" title={`It waits for ${blockedBy.join(', ')}`}>
          Blocked by {blockedBy[0]?.replace(/^.*\//, '')}
          {blockedBy.length > 1 && ` +${blockedBy.length - 1}`}
        </Flag>
      )}
      {app.isUpdateAvailable && (
        <Flag tone="info" icon="up" title="Its source has something newer that is not applied">
          Update available
        </Flag>
      )}
      {isNotNewest && (
        <Flag
          tone="bad"
          icon="fail"
          title={app.refused?.problem.message ?? 'What its source says now could not be applied'}
        >
          Newest not applied
        </Flag>
      )}
      {app.health.isGivenUp && (
        <Flag tone="bad" title="Nothing more is tried by itself: somebody has to look">
          Given up
        </Flag>
      )}
    </>
  )
}

/** Where several do not fit, each ends with dots and says all of it when the pointer rests on it. */
function Flag({
  tone,
  icon,
  title,
  children,
}: {
  readonly tone?: 'warn' | 'info' | 'bad'
  readonly icon?: IconName
  readonly title: string
  readonly children: ComponentChildren
}) {
  return (
    <span class={tone === undefined ? 'pill' : `pill tone-${tone}`} title={title}>
      {icon !== undefined && <Icon name={icon} />}
      <span class="truncate">{children}</span>
    </span>
  )
}
