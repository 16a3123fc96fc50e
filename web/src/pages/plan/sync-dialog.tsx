/** Sync of one or several, and taking over what another program started: what it would do is seen before it is pressed, and nothing else is run. */
import { useState } from 'preact/hooks'
import { AskedView } from '../../parts/asked-view.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Notice } from '../../parts/notice.tsx'
import { act, syncAsPlanned, wordsOf } from '../../state/act.ts'
import { useAsked } from '../../state/asked.ts'
import { shortRevision } from '../overview/commit-line.tsx'
import { PlanCounts } from './plan-view.tsx'
import { expectedBy, planNow, removedBy, together, type PlannedApp } from './planned.ts'
import { PlannedView } from './planned-view.tsx'

/** What is still to be pressed; `round`: how often it was no longer as it was planned, and `why`. */
type Left = {
  readonly keys: readonly string[]
  readonly round: number
  readonly why: readonly string[]
}

export function SyncDialog({
  keys: all,
  adopts = false,
  close,
  done = close,
}: {
  readonly keys: readonly string[]
  /** It takes over what is there under its name. */
  readonly adopts?: boolean
  readonly close: () => void
  /** It was pressed, and all of it was begun. */
  readonly done?: () => void
}) {
  const [{ keys, round, why }, setLeft] = useState<Left>({ keys: all, round: 0, why: [] })
  const asked = useAsked(
    (signal) => planNow(keys, { adopt: adopts }, signal),
    [keys.join(' '), round],
  )
  const [isMeant, setMeant] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const word = adopts ? 'Adopt' : 'Sync'
  const apps = asked.answer ?? []
  const planned = apps.filter(({ plan }) => plan !== undefined)
  const removed = apps.reduce((sum, { plan }) => sum + removedBy(plan), 0)
  const [only] = keys.length === 1 ? keys : []
  const isUnplanned = only !== undefined && asked.answer !== undefined && planned.length === 0
  // whoever stands on the button stays there while another plan is made
  const isReady = planned.length > 0 || isUnplanned
  const more = adopts ? { adopt: true } : {}

  async function sync(): Promise<void> {
    setBusy(true)
    if (isUnplanned) await act(keys, 'sync', more)
    const { moved } = await syncAsPlanned(
      planned.map((app) => ({
        key: app.key,
        body: {
          ...expectedBy(app),
          ...more,
          ...(isMeant && removedBy(app.plan) > 0 ? { allowMassDelete: true } : {}),
        },
      })),
      word,
    )
    setBusy(false)
    if (moved.length === 0) return done()
    setMeant(false)
    setLeft({ keys: moved.map(({ key }) => key), round: round + 1, why: wordsOf(moved) })
  }

  return (
    <Dialog
      title={`${word} ${only ?? `${keys.length} applications`}`}
      close={close}
      foot={
        <>
          {removed > 0 && !adopts && (
            <label class="check">
              <input
                type="checkbox"
                checked={isMeant}
                onChange={({ currentTarget }) => setMeant(currentTarget.checked)}
              />
              Removing {removed} is meant, even if that is most of it
            </label>
          )}
          <button type="button" class="button" onClick={close}>
            Leave it
          </button>
          <button
            type="button"
            class="button primary"
            disabled={!isReady && !isBusy && round === 0}
            aria-disabled={!isReady || isBusy}
            onClick={() => isReady && !isBusy && void sync()}
          >
            <Icon name="sync" spins={isBusy} />
            {isUnplanned
              ? `${word} without a plan`
              : planned.length < keys.length && asked.answer !== undefined
                ? `${word} ${planned.length} of ${keys.length}`
                : `${word} now`}
          </button>
        </>
      }
    >
      {round > 0 && (
        <Notice tone="warn" icon="up">
          <div role="status">
            {why.map((words) => (
              <p key={words}>{words}.</p>
            ))}
            <p>
              Nothing was done{only === undefined ? ' with these' : ''}. This is what {word} would
              do now.
            </p>
          </div>
        </Notice>
      )}
      {adopts && (
        <p>What another program started under its name is taken over, and kept as declared:</p>
      )}
      {asked.answer === undefined && asked.trouble === undefined && (
        <p class="muted small">
          {only === undefined ? 'Their sources are' : 'Its source is'} asked for what is newest …
        </p>
      )}
      <AskedView asked={asked} lines={4}>
        {([first, ...others]) =>
          others.length > 0 || only === undefined ? (
            <ManyPlans apps={apps} />
          ) : (
            first !== undefined && <OnePlan app={first} />
          )
        }
      </AskedView>
    </Dialog>
  )
}

function OnePlan({ app }: { readonly app: PlannedApp }) {
  return (
    <>
      {app.plan !== undefined && app.unread === undefined && app.revision !== '' && (
        <p class="muted small">
          Of <code>{shortRevision(app.revision)}</code>, what its source has now: this is what is
          run.
        </p>
      )}
      <PlannedView app={app} />
    </>
  )
}

/** Counts of all first; those with something to do are open. */
function ManyPlans({ apps }: { readonly apps: readonly PlannedApp[] }) {
  const changing = apps.filter(({ plan }) => (plan?.groups.length ?? 0) > 0).length
  return (
    <div class="plan">
      {changing > 0 && (
        <p>
          {changing} of {apps.length} would change.
        </p>
      )}
      <PlanCounts plan={together(apps)} />
      {apps.map((app) => (
        <details
          key={app.key}
          class="panel plan-app"
          open={(app.plan?.groups.length ?? 0) > 0 || app.problem !== undefined}
        >
          <summary>
            <strong>{app.key}</strong>{' '}
            <code class="muted small">{shortRevision(app.revision)}</code>{' '}
            <span class="muted small">{briefly(app)}</span>
          </summary>
          <PlannedView app={app} />
        </details>
      ))}
    </div>
  )
}

function briefly({ plan, unread }: PlannedApp): string {
  if (plan === undefined) return 'no plan'
  const count = plan.groups.length
  const what = count === 0 ? 'nothing to do' : `${count} ${count === 1 ? 'step' : 'steps'}`
  return unread === undefined ? what : `${what}, of what was read last`
}
