/** What to write into Git so that a difference stays: the values that run, or the lines that leave a field alone. */
import type { AppDetail } from '#model/api.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Origin } from '../../parts/origin.tsx'
import { valueText } from '../../parts/value-text.ts'

/** One field of one resource, with the lines of tend.yaml that leave it alone. */
export type IgnoredField = { readonly ref: string; readonly path: string; readonly text: string }

export function IgnoreDialog({
  ignored: { ref, path, text },
  close,
}: {
  readonly ignored: IgnoredField
  readonly close: () => void
}) {
  return (
    <Dialog title={`Ignore ${path}`} close={close} foot={<CopyButton text={text} label="Copy" />}>
      <p>
        To leave <code>{path}</code> of <code>{ref}</code> to whoever changes it by hand, put these
        lines into tend.yaml and commit them. Everything else is still looked after:
      </p>
      <Lines text={text} />
      <p class="muted small">A commit that changes the field is applied all the same.</p>
    </Dialog>
  )
}

export function AcceptDialog({
  app: { drift, ignoreAll },
  close,
}: {
  readonly app: AppDetail
  readonly close: () => void
}) {
  const fields = drift.flatMap(({ ref, changes }) => changes.map((change) => ({ ref, ...change })))
  return (
    <Dialog title="Accept it as it is" close={close}>
      {fields.length === 0 ? (
        <p>What is missing can only be taken out of the declaration: no value of it runs.</p>
      ) : (
        <>
          <p>
            Git stays the truth. Write the values that run into the lines that declare them, and
            commit: then nothing differs any more.
          </p>
          <ul class="accepted" aria-label="What to write where">
            {fields.map(({ ref, path, from, origin }) => (
              <li key={`${ref} ${path}`}>
                <code>{ref}</code> <Origin origin={origin} />
                <pre class="yaml" tabIndex={0} aria-label={`${path} of ${ref}`}>
                  {path}: {valueText(from)}
                </pre>
              </li>
            ))}
          </ul>
        </>
      )}
      {ignoreAll !== undefined && (
        <>
          <p>
            Or leave all that differs in this application alone from now on. Tend goes on showing
            it, and changes nothing about it by itself. Lines for tend.yaml:
          </p>
          <Lines text={ignoreAll} />
          <p>
            <CopyButton text={ignoreAll} label="Copy" />
          </p>
        </>
      )}
    </Dialog>
  )
}

function Lines({ text }: { readonly text: string }) {
  return (
    <pre class="yaml" tabIndex={0} aria-label="Lines for tend.yaml">
      {text}
    </pre>
  )
}
