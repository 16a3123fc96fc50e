/** An application as a dense row. */
import type { AppRow } from '#model/api.ts'
import { Running } from '../../parts/running.tsx'
import { HealthMark, SyncMark } from '../../parts/state-mark.tsx'
import { Ago } from '../../parts/time.tsx'
import { appLink, overviewLink } from '../../state/links.ts'
import { CommitLine } from './commit-line.tsx'
import { Flags } from './flags.tsx'
import { LastRun } from './last-run.tsx'
import { SelectBox } from './selection.tsx'
import { whyOf, wholeWhyOf } from './why.ts'

export function RowHeads() {
  return (
    <div class="app-row app-row-heads" aria-hidden="true">
      <span />
      <span>Application</span>
      <span>Health</span>
      <span>Sync</span>
      <span>Target</span>
      <span>Revision</span>
      <span>Running</span>
      <span>Last run</span>
    </div>
  )
}

export function Row({ app }: { readonly app: AppRow }) {
  const { key, application, health, sync, target, containers } = app
  const why = whyOf(app)
  return (
    <div class="app-row">
      <SelectBox appKey={key} />
      <div class="app-name">
        <div class="app-title">
          <a href={appLink(key)} class="truncate">
            <strong>{application.name}</strong>
          </a>
          <span class="muted small app-kind">{kindText(app)}</span>
        </div>
        <div class="app-line">
          <Flags app={app} />
          <span class="small truncate app-why" title={wholeWhyOf(app)}>
            {why}
          </span>
        </div>
      </div>
      <div class="cell-health">
        <HealthMark state={health.state} reason={health.reason} />
        {health.state !== 'healthy' && (
          <span class="muted small">
            <Ago at={health.since} />
          </span>
        )}
      </div>
      <div class="cell-sync">
        <SyncMark {...sync} />
        {sync.state !== 'synced' && (
          <span class="muted small">
            <Ago at={sync.since} />
          </span>
        )}
      </div>
      <a class="truncate cell-target" href={overviewLink({ target })} title={target}>
        {shortTarget(target)}
      </a>
      <CommitLine app={app} />
      <span class="cell-count">
        <Running containers={containers} />
      </span>
      <LastRun app={app} />
    </div>
  )
}

/** The namespace is said where there is one. */
export function kindText({ application: { kind, namespace } }: AppRow): string {
  return namespace === null ? kind : `${kind} in ${namespace}`
}

export function shortTarget(target: string): string {
  return target.replace(/^(unix:\/\/)?\/(.*\/)?/, '').replace(/^\w+:\/\//, '')
}
