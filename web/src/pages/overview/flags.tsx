/** What else is to be known of an application at a glance. */
import type { AppRow } from '#model/api.ts'
import { Icon } from '../../parts/icon.tsx'

export function Flags({ app }: { readonly app: AppRow }) {
  const { isSuspended, isUndeclared, needsAcknowledgement, blockedBy, isUpdateAvailable, health } =
    app
  return (
    <>
      {isUndeclared === true && (
        <span
          class="pill tone-warn"
          title="Its source does not have it any more: it can be forgotten"
        >
          <Icon name="missing" />
          No longer declared
        </span>
      )}
      {isSuspended && (
        <span class="pill" title="Left as it is until it is resumed">
          <Icon name="pause" />
          Suspended
        </span>
      )}
      {needsAcknowledgement && (
        <span
          class="pill tone-warn"
          title="It drifted, and waits until somebody says that it may be put right"
        >
          <Icon name="hand" />
          Waits for you
        </span>
      )}
      {blockedBy.length > 0 && (
        <span class="pill tone-info" title={`It waits for ${blockedBy.join(', ')}`}>
          <Icon name="lock" />
          Blocked by {blockedBy[0]}
          {blockedBy.length > 1 && ` +${blockedBy.length - 1}`}
        </span>
      )}
      {isUpdateAvailable && (
        <span class="pill tone-info" title="Its source has something newer that is not applied">
          <Icon name="up" />
          Update available
        </span>
      )}
      {health.isGivenUp && (
        <span class="pill tone-bad" title="Nothing more is tried by itself: somebody has to look">
          Given up
        </span>
      )}
    </>
  )
}
