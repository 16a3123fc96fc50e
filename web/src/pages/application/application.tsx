/** The page of an application: how it is, what can be pressed, and its parts. */
import { useEffect } from 'preact/hooks'
import type { AppDetail } from '#model/api.ts'
import { api } from '../../api/client.ts'
import { AskedView } from '../../parts/asked-view.tsx'
import { useAsked } from '../../state/asked.ts'
import { appLink, type AppTab } from '../../state/links.ts'
import { endedBy } from '../../state/live-run.ts'
import { DriftTab } from './drift-tab.tsx'
import { AppHead } from './head.tsx'
import { LogsTab } from './logs-tab.tsx'
import { PlanTab } from './plan-tab.tsx'
import { ResourcesTab } from './resources-tab.tsx'
import { HistoryTab } from '../runs/history-tab.tsx'
import { AppTimeline } from '../timeline/app-timeline.tsx'
import { useLiveApp } from './use-live-app.ts'

const tabs: readonly (readonly [AppTab, string])[] = [
  ['', 'Resources'],
  ['plan', 'Plan'],
  ['drift', 'Drift'],
  ['history', 'History'],
  ['logs', 'Logs'],
  ['timeline', 'Timeline'],
]

/** What there is nothing of is not offered. */
function tabsOf({ hasLogs }: AppDetail): typeof tabs {
  return hasLogs ? tabs : tabs.filter(([name]) => name !== 'logs')
}

export function ApplicationPage({
  appKey,
  tab,
}: {
  readonly appKey: string
  readonly tab: string
}) {
  const asked = useAsked((signal) => api.app(appKey, signal), [appKey])
  const live = useLiveApp(appKey, asked.reload)
  const { changed, round } = live
  useEffect(() => {
    document.title = `${appKey} · Tend`
  }, [appKey])
  return (
    <>
      {asked.answer === undefined && <h1 class="hidden">{appKey}</h1>}
      <AskedView asked={asked} lines={8}>
        {(detail) => {
          const app = changed === undefined ? detail : { ...detail, ...changed }
          const run = endedBy(live.run, app)
          return (
            <>
              <AppHead app={app} run={run} />
              <nav class="tabs" aria-label="Parts of the application">
                {tabsOf(app).map(([name, title]) => (
                  <a
                    key={name}
                    href={appLink(appKey, name)}
                    aria-current={tab === name ? 'page' : undefined}
                  >
                    {title}
                    {name === 'drift' && app.drift.length > 0 && (
                      <span class="count">{app.drift.length}</span>
                    )}
                  </a>
                ))}
              </nav>
              <div class="tab-body">
                {tab === '' && <ResourcesTab appKey={appKey} run={run} round={round} />}
                {tab === 'plan' && <PlanTab appKey={appKey} round={round} />}
                {tab === 'drift' && <DriftTab app={app} />}
                {tab === 'history' && <HistoryTab app={app} round={round} />}
                {tab === 'logs' && <LogsTab app={app} />}
                {tab === 'timeline' && <AppTimeline appKey={appKey} round={round} />}
              </div>
            </>
          )
        }}
      </AskedView>
    </>
  )
}
