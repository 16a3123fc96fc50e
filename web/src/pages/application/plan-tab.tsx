/** What a sync would do now, with an address to send. */
import { api } from '../../api/client.ts'
import { AskedView } from '../../parts/asked-view.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Ago } from '../../parts/time.tsx'
import { useAsked } from '../../state/asked.ts'
import { planLink } from '../../state/links.ts'
import { mayChange } from '../../state/session.ts'
import { shortRevision } from '../overview/commit-line.tsx'
import { PlannedView } from '../plan/planned-view.tsx'

export function PlanTab({ appKey, round }: { readonly appKey: string; readonly round: number }) {
  const asked = useAsked(
    (signal) => api.makePlan([appKey], { fresh: mayChange.value }, signal),
    [appKey],
  )
  const made = asked.answer?.id
  // a plan stays what it was when it was made: that it is over is told, and another one is made when somebody asks
  const outdated = useAsked(
    async (signal) => {
      if (made === undefined) return undefined
      const { apps } = await api.sharedPlan(made, signal)
      return apps.some(({ isOutdated }) => isOutdated) ? made : undefined
    },
    [made, round],
  )
  return (
    <AskedView asked={asked}>
      {({ id, at, apps: [app] }) => (
        <>
          <div class="bar">
            <span class="muted">
              Made <Ago at={at} />
              {app !== undefined && app.revision !== '' && (
                <>
                  {' '}
                  of <code>{shortRevision(app.revision)}</code>
                </>
              )}
            </span>
            <a class="button" href={planLink(id)}>
              <Icon name="link" />
              Open by itself
            </a>
            <CopyButton text={`${location.origin}${planLink(id)}`} label="Copy link" />
            <button type="button" class="button" onClick={asked.reload}>
              Plan again
            </button>
          </div>
          {outdated.answer === id && (
            <Notice tone="warn">
              Its source or what runs has changed since. Plan again to see what a sync would do now.
            </Notice>
          )}
          {app !== undefined && <PlannedView app={app} />}
        </>
      )}
    </AskedView>
  )
}
