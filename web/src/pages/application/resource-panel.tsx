/** One resource: both answers, declared against running, what happened to it, its logs. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ResourceDetail } from '#model/api.ts'
import type { Json } from '#model/json.ts'
import { api } from '../../api/client.ts'
import { AskedView, Empty } from '../../parts/asked-view.tsx'
import { ChangeList } from '../../parts/change-list.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Origin } from '../../parts/origin.tsx'
import { HealthMark, SyncMark } from '../../parts/state-mark.tsx'
import { sentence } from '../../parts/sentence.ts'
import { Tabs, type Tab } from '../../parts/tabs.tsx'
import { Ago } from '../../parts/time.tsx'
import { valueText, yamlText } from '../../parts/value-text.ts'
import { address, setQuery, withQuery } from '../../state/address.ts'
import { useAsked } from '../../state/asked.ts'
import { EntryList } from '../timeline/entry-list.tsx'
import { LogView } from './log-view.tsx'
import { useReloadOn } from './use-reload-on.ts'
import { withoutColours } from '../../parts/without-colours.ts'

const parts = [
  ['', 'Difference'],
  ['declared', 'Declared'],
  ['running', 'Running'],
  ['events', 'Events'],
  ['logs', 'Logs'],
] as const

export function ResourcePanel({
  appKey,
  resource,
  round,
}: {
  readonly appKey: string
  readonly resource: string
  readonly round: number
}) {
  const asked = useAsked((signal) => api.resource(appKey, resource, signal), [appKey, resource])
  useReloadOn(asked.reload, round)
  const part = address.value.query['part'] ?? ''
  const panel = useRef<HTMLElement>(null)
  // who closes it goes on where it was opened: a layout effect ends before the panel takes the focus away with it
  useLayoutEffect(() => {
    const opener = document.activeElement
    panel.current?.focus()
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])
  const close = () => setQuery({ resource: undefined, part: undefined })
  return (
    <aside
      ref={panel}
      class="resource-panel panel"
      tabIndex={-1}
      aria-label={`Resource ${resource}`}
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      <header>
        <div class="truncate">
          <span class="muted small">{resource.slice(0, resource.indexOf('/'))}</span>
          <h2 class="truncate">{resource.slice(resource.indexOf('/') + 1)}</h2>
        </div>
        <button type="button" class="button plain square" aria-label="Close" onClick={close}>
          <Icon name="cross" />
        </button>
      </header>
      <AskedView asked={asked}>
        {(detail) => (
          <>
            <Summary detail={detail} />
            <Tabs label="Parts of the resource" tabs={tabsOf(detail)} open={part} />
            <div class="resource-body">
              {part === '' && <Difference detail={detail} />}
              {part === 'declared' && (
                <>
                  <Spec
                    spec={detail.declared}
                    none="It is not declared any more."
                    label="Declared"
                  />
                  <FieldLines lines={detail.lines} />
                </>
              )}
              {part === 'running' && (
                <Spec
                  spec={detail.running}
                  none="It does not run, or can't be seen."
                  label="Running"
                />
              )}
              {part === 'events' && (
                <EntryList entries={detail.events} none="Nothing has happened to it yet." />
              )}
              {part === 'logs' && (
                <LogView appKey={appKey} containers={detail.containers} round={0} />
              )}
            </div>
          </>
        )}
      </AskedView>
    </aside>
  )
}

function tabsOf({ containers, fields }: ResourceDetail): readonly Tab[] {
  return parts
    .filter(([name]) => name !== 'logs' || containers.length > 0)
    .map(([name, title]) => ({
      name,
      title,
      href: withQuery(address.value, { part: name }),
      count: name === '' ? fields.length : 0,
    }))
}

function Summary({
  detail: { health, sync, origin, needs, neededBy },
}: {
  readonly detail: ResourceDetail
}) {
  const why = health !== undefined && health.state !== 'healthy' ? health.reason : sync.reason
  return (
    <div class="resource-summary">
      <p class="resource-states">
        {health === undefined ? (
          <span class="muted">No health of its own</span>
        ) : (
          <span class="state-since">
            <HealthMark state={health.state} />
            <Since at={health.since} />
          </span>
        )}
        <span class="state-since">
          <SyncMark state={sync.state} />
          <Since at={sync.since} />
        </span>
        {health?.restartCount !== undefined && health.restartCount > 0 && (
          <span class="pill tone-warn">{health.restartCount} restarts</span>
        )}
        {health?.exitCode !== undefined && <span class="pill">ended with {health.exitCode}</span>}
      </p>
      {why !== '' && (
        <Notice tone={health?.state === 'failed' ? 'bad' : 'warn'}>
          <p>{sentence(why)}</p>
          {health?.details !== undefined && health.details.length > 0 && (
            <pre class="last-lines" tabIndex={0} aria-label="Last lines">
              {withoutColours(health.details.join('\n'))}
            </pre>
          )}
        </Notice>
      )}
      <dl class="pairs small">
        {origin !== undefined && (
          <>
            <dt>Declared in</dt>
            <dd>
              <Origin origin={origin} />
            </dd>
          </>
        )}
        <Refs title="Needs" refs={needs} />
        <Refs title="Needed by" refs={neededBy} />
      </dl>
    </div>
  )
}

function Since({ at }: { readonly at: number }) {
  return (
    <span class="muted small">
      since <Ago at={at} />
    </span>
  )
}

function Refs({ title, refs }: { readonly title: string; readonly refs: readonly string[] }) {
  if (refs.length === 0) return null
  return (
    <>
      <dt>{title}</dt>
      <dd>
        {refs.map((ref) => (
          <a
            key={ref}
            class="link mono"
            href={withQuery(address.value, { resource: ref, part: undefined })}
          >
            {ref}
          </a>
        ))}
      </dd>
    </>
  )
}

function Difference({ detail: { fields, sync } }: { readonly detail: ResourceDetail }) {
  if (fields.length > 0) return <ChangeList changes={fields} />
  if (sync.state === 'unknown') return <Empty icon="question" title="It can't be seen now" />
  return (
    <Empty
      icon="check"
      title={sync.state === 'missing' ? 'It is not there' : 'It runs as declared'}
    />
  )
}

/** Which line says so, and which commit changed that line last. */
function FieldLines({ lines }: { readonly lines: ResourceDetail['lines'] }) {
  if (lines.length === 0) return null
  return (
    <section class="field-lines">
      <h3>Where each field comes from</h3>
      <ul aria-label="Where each field comes from">
        {lines.map(({ path, value, origin }) => (
          <li key={path}>
            <code>{path}</code> <span class="truncate">{valueText(value)}</span>
            <Origin origin={origin} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Spec({
  spec,
  none,
  label,
}: {
  readonly spec: Json | undefined
  readonly none: string
  readonly label: string
}) {
  if (spec === undefined || spec === null) return <p class="muted">{none}</p>
  return (
    <pre class="yaml" tabIndex={0} aria-label={label}>
      {yamlText(spec)}
    </pre>
  )
}
