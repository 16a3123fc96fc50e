/** The page of an application: how it is, what can be pressed, and its parts. */
import { useEffect } from 'preact/hooks'
import type { AppDetail } from '#model/api.ts'
import { api } from '../../api/client.ts'
import { AskedView } from '../../parts/asked-view.tsx'
import { Tabs, type Tab } from '../../parts/tabs.tsx'
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
function tabsOf({ key, hasLogs, drift }: AppDetail): readonly Tab[] {
  return tabs
    .filter(([name]) => name !== 'logs' || hasLogs)
    .map(([name, title]) => ({
      name,
      title,
      href: appLink(key, name),
      count: name === 'drift' ? drift.length : 0,
    }))
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
    <AskedView asked={asked} title={appKey} lines={8}>
      {(detail) => {
        const app = changed === undefined ? detail : { ...detail, ...changed }
        const run = endedBy(live.run, app)
        return (
          <>
            <AppHead app={app} run={run} />
            <Tabs label="Parts of the application" tabs={tabsOf(app)} open={tab} />
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
  )
}
