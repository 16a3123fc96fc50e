/** A plan with an address: what it says, whether it still holds, and the button that does it. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { api } from '../../api/client.ts'
import { follow } from '../../api/stream.ts'
import { AskedView } from '../../parts/asked-view.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Ago } from '../../parts/time.tsx'
import { syncAsPlanned, wordsOf, type Refused } from '../../state/act.ts'
import { go } from '../../state/address.ts'
import { useAsked } from '../../state/asked.ts'
import { appLink, planLink } from '../../state/links.ts'
import { mayChange } from '../../state/session.ts'
import { sayTrouble } from '../../state/toasts.ts'
import { shortRevision } from '../overview/commit-line.tsx'
import { expectedBy } from './planned.ts'
import { PlannedView } from './planned-view.tsx'

export function PlanPage({ id }: { readonly id: string }) {
  const asked = useAsked((signal) => api.sharedPlan(id, signal), [id])
  const [moved, setMoved] = useState<readonly Refused[]>([])
  /** A plan is run once: whoever wants more makes another one. */
  const isPressed = useRef(false)
  const [pressing, setPressing] = useState<'busy' | 'done'>()
  useEffect(() => {
    isPressed.current = false
    setMoved([])
    setPressing(undefined)
  }, [id])
  useEffect(() => {
    document.title = 'Plan · Tend'
    follow({})
  }, [])
  return (
    <AskedView asked={asked} title="Plan">
      {({ at, by, apps }) => {
        const keys = apps.map(({ key }) => key)
        const isOutdated = apps.some((app) => app.isOutdated)
        const changes = apps.filter(({ plan }) => (plan?.groups.length ?? 0) > 0)
        async function sync(): Promise<void> {
          if (isPressed.current) return
          isPressed.current = true
          setPressing('busy')
          const body = changes.map((app) => ({ key: app.key, body: expectedBy(app) }))
          const refused = await syncAsPlanned(body)
          isPressed.current = refused.failed.length === 0
          setPressing(isPressed.current ? 'done' : undefined)
          setMoved(refused.moved)
          asked.reload()
        }
        return (
          <>
            <div class="page-head">
              <h1>
                {keys.length === 1 ? `Plan for ${keys[0]}` : `Plan for ${keys.length} applications`}
              </h1>
              <span class="muted">
                by {by}, <Ago at={at} />
              </span>
              <span class="space" />
              <CopyButton text={location.href} label="Copy link" />
              <button
                type="button"
                class="button"
                onClick={() =>
                  void api
                    .makePlan(keys, { fresh: mayChange.value })
                    .then((plan) => go(planLink(plan.id)), sayTrouble)
                }
              >
                Plan again
              </button>
              {mayChange.value && (
                <button
                  type="button"
                  class="button primary"
                  disabled={changes.length === 0}
                  aria-disabled={pressing !== undefined}
                  title={pressing === 'done' ? 'It was pressed: plan again' : undefined}
                  onClick={() => void sync()}
                >
                  <Icon name="sync" spins={pressing === 'busy'} />
                  {changes.length > 1 ? `Sync ${changes.length}` : 'Sync'}
                </button>
              )}
            </div>
            {moved.length > 0 && (
              <Notice tone="warn" icon="up">
                {wordsOf(moved).map((words) => (
                  <p key={words}>{words}.</p>
                ))}
                <p>
                  Nothing was done with {moved.map(({ key }) => key).join(', ')}. Plan again to see
                  what a sync would do now.
                </p>
              </Notice>
            )}
            {isOutdated && moved.length === 0 && (
              <Notice tone="warn">
                This plan is out of date: a source or what runs has moved since. Plan again to see
                what a sync would do now.
              </Notice>
            )}
            {apps.map((app) => (
              <section key={app.key} class="panel plan-app">
                <h2>
                  <a href={appLink(app.key)}>{app.key}</a>{' '}
                  <code class="muted small">{shortRevision(app.revision)}</code>
                </h2>
                <PlannedView app={app} />
              </section>
            ))}
          </>
        )
      }}
    </AskedView>
  )
}
