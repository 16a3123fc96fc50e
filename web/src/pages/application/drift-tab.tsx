/** What runs otherwise than declared, field by field: put right, accept, or ignore from now on. */
import { useState } from 'preact/hooks'
import type { AppDetail } from '#model/api.ts'
import { Empty } from '../../parts/asked-view.tsx'
import { ChangeList, type OriginedChange } from '../../parts/change-list.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Ago } from '../../parts/time.tsx'
import { act } from '../../state/act.ts'
import { appLink } from '../../state/links.ts'
import { mayChange } from '../../state/session.ts'
import { ignoreText } from './ignore-text.ts'

export function DriftTab({ app }: { readonly app: AppDetail }) {
  const [ignored, setIgnored] = useState<Ignored>()
  const { key, drift, needsAcknowledgement } = app
  if (drift.length === 0) {
    return <Empty icon="check" title="Everything runs as it was applied" />
  }
  const putRight = () => void act([key], needsAcknowledgement ? 'acknowledge' : 'sync')
  return (
    <>
      <div class="bar">
        <span class="muted">
          {drift.length} {drift.length === 1 ? 'resource differs' : 'resources differ'} from what
          was applied
        </span>
        {mayChange.value && (
          <button type="button" class="button primary" onClick={putRight}>
            <Icon name="check" />
            Put right
          </button>
        )}
        <button
          type="button"
          class="button"
          onClick={() => setIgnored({ ref: '', path: '', text: ignoreText(app.application) })}
        >
          Accept
        </button>
      </div>
      {drift.map(({ ref, state, reason, since, changes }) => (
        <section key={ref} class="panel drift">
          <header>
            <a class="link mono" href={appLink(key, '', { resource: ref })}>
              {ref}
            </a>
            <span class={`pill tone-${state === 'missing' ? 'bad' : 'warn'}`}>{state}</span>
            <span class="muted small">
              since <Ago at={since} />
            </span>
          </header>
          {reason !== '' && <p class="muted">{reason}</p>}
          {changes.length > 0 && (
            <p class="muted small">What runs now, and what it is put right to:</p>
          )}
          <ChangeList
            changes={changes}
            action={({ path }: OriginedChange) => {
              const text = changes.find((one) => one.path === path)?.ignore
              if (text === undefined) return null
              return (
                <button
                  type="button"
                  class="link small"
                  aria-label={`Ignore ${path} of ${ref} from now on`}
                  onClick={() => setIgnored({ ref, path, text })}
                >
                  Ignore from now on
                </button>
              )
            }}
          />
        </section>
      ))}
      {ignored !== undefined && (
        <IgnoreDialog ignored={ignored} close={() => setIgnored(undefined)} />
      )}
    </>
  )
}

/** `ref` is empty: everything that drifted. */
type Ignored = { readonly ref: string; readonly path: string; readonly text: string }

function IgnoreDialog({
  ignored: { ref, path, text },
  close,
}: {
  readonly ignored: Ignored
  readonly close: () => void
}) {
  const isAll = ref === ''
  return (
    <Dialog
      title={isAll ? 'Accept it as it is' : `Ignore ${path}`}
      close={close}
      foot={<CopyButton text={text} label="Copy" />}
    >
      {isAll ? (
        <p>
          Git stays the truth: to keep what runs, write the values shown into the declaration. To
          leave all differences of this application alone from now on, put these lines into
          tend.yaml and commit them:
        </p>
      ) : (
        <p>
          To leave <code>{path}</code> of <code>{ref}</code> to whoever changes it by hand, put
          these lines into tend.yaml and commit them. Everything else is still looked after:
        </p>
      )}
      <pre class="yaml" tabIndex={0} aria-label="Lines for tend.yaml">
        {text}
      </pre>
      <p class="muted small">
        {isAll
          ? 'Tend goes on showing what differs, and changes nothing about it by itself.'
          : 'A commit that changes the field is applied all the same.'}
      </p>
    </Dialog>
  )
}
