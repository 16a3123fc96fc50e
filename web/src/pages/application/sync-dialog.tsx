/** Sync: what it would do is seen before it is pressed. */
import { useState } from 'preact/hooks'
import { api } from '../../api/client.ts'
import { AskedView } from '../../parts/asked-view.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { act } from '../../state/act.ts'
import { useAsked } from '../../state/asked.ts'
import { PlanView } from '../plan/plan-view.tsx'

export function SyncDialog({
  appKey,
  close,
}: {
  readonly appKey: string
  readonly close: () => void
}) {
  const asked = useAsked((signal) => api.plan(appKey, undefined, signal), [appKey])
  const [isMeant, setMeant] = useState(false)
  const removed = asked.answer?.groups.filter(({ step }) => step === 'delete').length ?? 0
  async function sync(): Promise<void> {
    const more = removed > 0 && isMeant ? { allowMassDelete: true } : undefined
    await act([appKey], 'sync', more)
    close()
  }
  return (
    <Dialog
      title={`Sync ${appKey}`}
      close={close}
      foot={
        <>
          {removed > 0 && (
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
            Sync now
          </button>
        </>
      }
    >
      <AskedView asked={asked} lines={4}>
        {(plan) => <PlanView plan={plan} />}
      </AskedView>
    </Dialog>
  )
}
