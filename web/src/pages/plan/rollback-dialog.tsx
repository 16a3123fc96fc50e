/** Going back, with what it would do shown first, and what holds it there afterwards. */
import { useState } from 'preact/hooks'
import { api } from '../../api/client.ts'
import { AskedView } from '../../parts/asked-view.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Notice } from '../../parts/notice.tsx'
import { act } from '../../state/act.ts'
import { useAsked } from '../../state/asked.ts'
import { PlanView } from './plan-view.tsx'

export function RollbackDialog({
  keys,
  run,
  close,
}: {
  readonly keys: readonly string[]
  /** Without it: the last good run before, of each. */
  readonly run?: number
  readonly close: () => void
}) {
  /** By key, whether it can go back; absent: not known yet. */
  const [known, setKnown] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [isBusy, setBusy] = useState(false)
  const able = keys.filter((key) => known.get(key) === true)
  const where = run === undefined ? 'the last good run before' : `run ${run}`
  async function roll(): Promise<void> {
    setBusy(true)
    await act(able, 'rollback', run === undefined ? {} : { run })
    close()
  }
  return (
    <Dialog
      title={keys.length === 1 ? `Roll back ${keys[0]}` : `Roll back ${keys.length} applications`}
      close={close}
      foot={
        <>
          <button type="button" class="button" onClick={close}>
            Leave it
          </button>
          <button
            type="button"
            class="button primary"
            disabled={isBusy || known.size < keys.length || able.length === 0}
            onClick={() => void roll()}
          >
            <Icon name="back" />
            {able.length === keys.length || known.size < keys.length
              ? 'Roll back'
              : `Roll back ${able.length} of ${keys.length}`}
          </button>
        </>
      }
    >
      <p>This applies again what {where} applied, from the record: no Git, no render.</p>
      <Notice tone="info" icon="lock">
        Afterwards it is held there: the present commit is not applied again until the source moves
        or somebody presses Sync.
      </Notice>
      {keys.map((key) => (
        <OnePlan
          key={key}
          appKey={key}
          run={run}
          hasTitle={keys.length > 1}
          known={(isAble) => setKnown((old) => new Map([...old, [key, isAble]]))}
        />
      ))}
    </Dialog>
  )
}

function OnePlan({
  appKey,
  run,
  hasTitle,
  known,
}: {
  readonly appKey: string
  readonly run: number | undefined
  readonly hasTitle: boolean
  readonly known: (isAble: boolean) => void
}) {
  const asked = useAsked(
    async (signal) => {
      try {
        const plan = await api.plan(appKey, run ?? 'before', signal)
        known(true)
        return plan
      } catch (thrown) {
        // one that can't go back is told so, and keeps none of the others
        if (!signal.aborted) known(false)
        throw thrown
      }
    },
    [appKey, run],
  )
  return (
    <section>
      {hasTitle && <h3>{appKey}</h3>}
      <AskedView asked={asked} lines={3}>
        {(plan) => <PlanView plan={plan} />}
      </AskedView>
    </section>
  )
}
