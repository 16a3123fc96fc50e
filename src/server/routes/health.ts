/** For those who look after the service itself. */
import { text } from '../reply.ts'
import { route, type Route } from '../route.ts'
import type { Desk } from './desk.ts'

const plain = { type: 'text/plain' }
const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

export function healthRoutes({ service, board }: Desk): readonly Route[] {
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
      summary: 'Everything was looked at once: statuses are known',
      answers: {
        200: { says: 'ready', body: plain },
        503: { says: 'not yet', body: plain },
      },
      handle: () => (service.isReady() ? text('ready\n') : text('not ready yet\n', 503)),
    }),
    route({
      method: 'GET',
      path: '/metrics',
      access: 'read',
      name: 'metrics',
      summary: 'Numbers for Prometheus',
      answers: { 200: { says: 'Prometheus text', body: plain } },
      handle() {
        const readers = board.feed.count + board.originFeed.count
        const own = `# HELP tend_event_streams Readers of events now.\n# TYPE tend_event_streams gauge\ntend_event_streams ${readers}\n`
        return text(ended(service.metrics.text()) + own, 200, metricsType)
      },
    }),
  ]
}

function ended(words: string): string {
  return words === '' || words.endsWith('\n') ? words : `${words}\n`
}
