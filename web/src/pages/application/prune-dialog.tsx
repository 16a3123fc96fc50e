/** Prune takes things away for ever: what goes is listed first, and the name has to be typed. */
import type { AppDetail } from '#model/api.ts'
import { api } from '../../api/client.ts'
import { AskedView } from '../../parts/asked-view.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Notice } from '../../parts/notice.tsx'
import { TypedName } from '../../parts/typed-name.tsx'
import { act } from '../../state/act.ts'
import { useAsked } from '../../state/asked.ts'

export function PruneDialog({
  app,
  close,
}: {
  readonly app: AppDetail
  readonly close: () => void
}) {
  const { key, application } = app
  const asked = useAsked((signal) => api.prunePlan(key, signal), [key])
  const removed = asked.answer?.groups.filter(({ step }) => step === 'delete') ?? []
  async function prune(): Promise<void> {
    if (await act([key], 'prune', { name: application.name })) close()
  }
  return (
    <Dialog title={`Prune ${key}`} close={close}>
      <AskedView asked={asked} lines={3}>
        {() =>
          removed.length === 0 ? (
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
