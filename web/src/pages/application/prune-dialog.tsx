/** Prune takes things away for ever: what goes is listed first, and the name has to be typed. */
import type { AppDetail } from '#model/api.ts'
import { AskedView } from '../../parts/asked-view.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Notice } from '../../parts/notice.tsx'
import { TypedName } from '../../parts/typed-name.tsx'
import { act } from '../../state/act.ts'
import { useAsked } from '../../state/asked.ts'
import { expectedBy, planNow } from '../plan/planned.ts'
import { PlannedView } from '../plan/planned-view.tsx'

export function PruneDialog({
  app,
  close,
}: {
  readonly app: AppDetail
  readonly close: () => void
}) {
  const { key, application } = app
  const asked = useAsked((signal) => planNow([key], { prune: true }, signal), [key])
  const [planned] = asked.answer ?? []
  const removed = planned?.plan?.groups.filter(({ step }) => step === 'delete') ?? []
  async function prune(): Promise<void> {
    const of = planned === undefined ? {} : expectedBy(planned)
    if (await act([key], 'prune', { name: application.name, ...of })) close()
    else asked.reload()
  }
  return (
    <Dialog title={`Prune ${key}`} close={close}>
      <AskedView asked={asked} lines={3}>
        {() =>
          planned?.plan === undefined ? (
            planned !== undefined && <PlannedView app={planned} />
          ) : removed.length === 0 ? (
            <Notice tone="good">
              Nothing to prune: everything that it made is declared, volumes included.
            </Notice>
          ) : (
            <Notice tone="bad">
              <p>These are removed, volumes with what is in them. Nothing brings them back:</p>
              <ul class="pruned" aria-label="What goes">
                {removed.map(({ ref }) => (
                  <li key={ref}>
                    <code>{ref}</code>
                  </li>
                ))}
              </ul>
            </Notice>
          )
        }
      </AskedView>
      {removed.length > 0 && (
        <TypedName name={application.name} word="Prune" go={prune} leave={close} />
      )}
    </Dialog>
  )
}
