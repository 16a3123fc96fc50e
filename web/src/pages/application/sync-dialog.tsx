/** Sync, and taking over what another program started: what it would do is seen before it is pressed. */
import { useState } from 'preact/hooks'
import { api } from '../../api/client.ts'
import { AskedView } from '../../parts/asked-view.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { act } from '../../state/act.ts'
import { useAsked } from '../../state/asked.ts'
import { shortRevision } from '../overview/commit-line.tsx'
import { PlanView } from '../plan/plan-view.tsx'

export function SyncDialog({
  appKey,
  revision,
  adopts = false,
  close,
}: {
  readonly appKey: string
  /** What was read last of its source. */
  readonly revision?: string | undefined
  /** It takes over what is there under its name. */
  readonly adopts?: boolean
  readonly close: () => void
}) {
  const asked = useAsked(
    (signal) => (adopts ? api.adoptPlan(appKey, signal) : api.plan(appKey, undefined, signal)),
    [appKey, adopts],
  )
  const word = adopts ? 'Adopt' : 'Sync'
  const [isMeant, setMeant] = useState(false)
  const removed = asked.answer?.groups.filter(({ step }) => step === 'delete').length ?? 0
  async function sync(): Promise<void> {
    const more = removed > 0 && isMeant ? { allowMassDelete: true } : undefined
    // an adoption answers when it is done: how it goes is told by the events
    const asked = adopts ? act([appKey], 'adopt') : act([appKey], 'sync', more)
    if (!adopts) await asked
    close()
  }
  return (
    <Dialog
      title={`${word} ${appKey}`}
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
          <button type="button" class="button primary" onClick={() => void sync()}>
            <Icon name="sync" />
            {word} now
          </button>
        </>
      }
    >
      {adopts && (
        <p>What another program started under its name is taken over, and kept as declared:</p>
      )}
      {!adopts && revision !== undefined && revision !== '' && (
        <p class="muted small">
          Of <code>{shortRevision(revision)}</code>, the newest that was read. <em>Sync</em> asks
          the source first: what is newer is applied too.
        </p>
      )}
      <AskedView asked={asked} lines={4}>
        {(plan) => <PlanView plan={plan} />}
      </AskedView>
    </Dialog>
  )
}
