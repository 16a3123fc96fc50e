/** An application as a card. */
import type { AppRow } from '#model/api.ts'
import { Running } from '../../parts/running.tsx'
import { HealthMark, SyncMark } from '../../parts/state-mark.tsx'
import { appLink, overviewLink } from '../../state/links.ts'
import { CommitLine } from './commit-line.tsx'
import { Flags } from './flags.tsx'
import { LastRun } from './last-run.tsx'
import { kindText, shortTarget } from './row.tsx'
import { SelectBox } from './selection.tsx'
import { whyOf, wholeWhyOf } from './why.ts'

export function Card({ app }: { readonly app: AppRow }) {
  const { key, application, health, sync, target, containers } = app
  const why = whyOf(app)
  return (
    <article class={`app-card panel edge-${health.state}`}>
      <header>
        <SelectBox appKey={key} />
        <a href={appLink(key)} class="truncate">
          <strong>{application.name}</strong>
        </a>
        <span class="muted small truncate">{kindText(app)}</span>
      </header>
      <div class="app-card-states">
        <HealthMark state={health.state} reason={health.reason} />
        <SyncMark {...sync} />
        <Running containers={containers} />
        <Flags app={app} />
      </div>
      {why !== '' && (
        <p class="app-card-why small" title={wholeWhyOf(app)}>
          {why}
        </p>
      )}
      <CommitLine app={app} />
      <footer class="small">
        <a class="truncate muted" href={overviewLink({ target })} title={target}>
          {shortTarget(target)}
        </a>
        <LastRun app={app} />
      </footer>
    </article>
  )
}
