/** For those who look after the service itself. */
import type { AppStatus, SourceStatus } from '#model/service.ts'
import { isWhole, visibleApps } from '../access/scope.ts'
import { text } from '../reply.ts'
import { route, type Route } from '../route.ts'
import type { RouteContext } from './route-context.ts'

const plain = { type: 'text/plain' }
const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

export function healthRoutes({ service, prepared }: RouteContext): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/healthz',
      access: 'open',
      name: 'healthy',
      summary: 'The service answers',
      answers: { 200: { says: 'ok', body: plain } },
      handle: () => text('ok\n'),
    }),
    route({
      method: 'GET',
      path: '/readyz',
      access: 'open',
      name: 'ready',
      summary:
        'Everything was looked at once: statuses are known; with counts of how applications are',
      answers: {
        200: { says: 'ready', body: plain },
        503: { says: 'not yet', body: plain },
      },
      handle: () =>
        service.isReady()
          ? text(readyText(service.apps(), service.sources()))
          : text('not ready yet\n', 503),
    }),
    route({
      method: 'GET',
      path: '/metrics',
      access: 'read',
      name: 'metrics',
      summary: 'Numbers for Prometheus',
      answers: { 200: { says: 'Prometheus text', body: plain } },
      handle(_, { caller }) {
        if (!isWhole(caller))
          return text(stateCounts(visibleApps(service, caller)), 200, metricsType)
        const readers = prepared.feed.count + prepared.originFeed.count
        const own = `# HELP tend_event_streams Readers of events now.\n# TYPE tend_event_streams gauge\ntend_event_streams ${readers}\n`
        return text(ended(service.metrics.text()) + own, 200, metricsType)
      },
    }),
  ]
}

/** The service is ready however its applications are: who asks for more finds it in the lines below. Names are for who may read. */
function readyText(apps: readonly AppStatus[], sources: readonly SourceStatus[]): string {
  const counts = new Map<string, number>()
  for (const { health } of apps) counts.set(health.state, (counts.get(health.state) ?? 0) + 1)
  const lines = [...counts].map(([state, count]) => `${state} ${count}\n`).toSorted()
  const isRefused = sources.some(({ refType }) => refType === 'declarations')
  const refused = isRefused ? 'declarations refused: what was declared before stays in force\n' : ''
  return `ready\n${refused}${lines.join('')}`
}

/** Of a token that is bound to applications: only how those are. */
function stateCounts(apps: readonly AppStatus[]): string {
  const states = new Map<string, number>()
  for (const { state } of apps) states.set(state, (states.get(state) ?? 0) + 1)
  const lines = [...states].map(([state, value]) => `tend_apps{state="${state}"} ${value}\n`)
  const each = apps.map(
    ({ key, health }) => `tend_app_health{app=${JSON.stringify(key)},state="${health.state}"} 1\n`,
  )
  const counts = `# HELP tend_apps Applications, by state.\n# TYPE tend_apps gauge\n${lines.join('')}`
  return `${counts}# HELP tend_app_health How each application is.\n# TYPE tend_app_health gauge\n${each.join('')}`
}

function ended(words: string): string {
  return words === '' || words.endsWith('\n') ? words : `${words}\n`
}
