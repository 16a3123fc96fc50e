/** What runs otherwise than declared, field by field: put right, accept, or ignore from now on. */
import { useState } from 'preact/hooks'
import type { AppDetail } from '#model/api.ts'
import { Empty } from '../../parts/asked-view.tsx'
import { ChangeList, type OriginedChange } from '../../parts/change-list.tsx'
import { Icon } from '../../parts/icon.tsx'
import { sentence } from '../../parts/sentence.ts'
import { Ago } from '../../parts/time.tsx'
import { act } from '../../state/act.ts'
import { appLink } from '../../state/links.ts'
import { mayChange } from '../../state/session.ts'
import { AcceptDialog, IgnoreDialog, type IgnoredField } from './drift-dialogs.tsx'

export function DriftTab({ app }: { readonly app: AppDetail }) {
  const [ignored, setIgnored] = useState<IgnoredField>()
  const [isAccepting, setAccepting] = useState(false)
  const { key, drift, needsAcknowledgement } = app
  if (drift.length === 0 && app.synced === undefined) {
    return (
      <Empty icon="box" title="Nothing was applied yet">
        <p>
          So nothing can have drifted:{' '}
          <a class="link" href={appLink(key, 'plan')}>
            what would a sync do?
          </a>
        </p>
      </Empty>
    )
  }
  if (drift.length === 0) {
    return (
      <Empty icon="check" title="Everything runs as it was applied">
        <p>
          What somebody changes by hand is shown here, field by field, with what to do about it.
        </p>
        {app.sync.isBehind === true && (
          <p>
            Its source has something newer:{' '}
            <a class="link" href={appLink(key, 'plan')}>
              what would a sync do?
            </a>
          </p>
        )}
      </Empty>
    )
  }
  // what its source has got since is not what is looked at here
  const { revision, hash } = app.desired ?? {}
  const read = revision === undefined || hash === undefined ? {} : { revision, hash }
  const putRight = () =>
    void (needsAcknowledgement ? act([key], 'acknowledge') : act([key], 'sync', read))
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
        <button type="button" class="button" onClick={() => setAccepting(true)}>
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
          {reason !== '' && <p class="muted">{sentence(reason)}</p>}
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
                  aria-label={`Ignore from now on: ${path} of ${ref}`}
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
      {isAccepting && <AcceptDialog app={app} close={() => setAccepting(false)} />}
    </>
  )
}
