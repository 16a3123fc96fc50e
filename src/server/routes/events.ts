/** Streams of events: the origin's and our own, over the same kind of feed. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as z from 'zod/mini'
import { eventsType, type Reply } from '../reply.ts'
import { route, type Route } from '../route.ts'
import type { Feed } from '../stream/feed.ts'
import type { Desk } from './desk.ts'

const lastEventId = z.object({
  /** For those who cannot set the header Last-Event-ID. */
  lastEventId: z.optional(z.string()),
})

export function eventRoutes({ board, log }: Desk): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/events',
      access: 'read',
      name: 'originEvents',
      summary:
        'Stacks and refreshes as they change: stack.snapshot, stack.upsert, stack.delete, refresh.status',
      errors: 'origin',
      query: lastEventId,
      answers: { 200: { says: 'Server-sent events', body: { type: 'text/event-stream' } } },
      handle: ({ query }, { request }) =>
        streamOf(board.originFeed, idOf(request, query.lastEventId), undefined),
    }),
    route({
      method: 'GET',
      path: '/api/v1/events',
      access: 'read',
      name: 'events',
      summary: 'Everything as it changes: snapshot, app, gone, source, run',
      query: z.extend(lastEventId, { app: z.optional(z.string()) }),
      answers: { 200: { says: 'Server-sent events', body: { type: 'text/event-stream' } } },
      handle: ({ query }, { request }) =>
        streamOf(board.feed, idOf(request, query.lastEventId), query.app),
    }),
  ]

  function streamOf(feed: Feed, lastId: string | undefined, app: string | undefined): Reply {
    return {
      kind: 'stream',
      type: eventsType,
      write(response, signal) {
        follow(feed, response, signal, lastId, app)
      },
    }
  }

  function follow(
    feed: Feed,
    response: ServerResponse,
    signal: AbortSignal,
    lastId: string | undefined,
    app: string | undefined,
  ): void {
    const reader = feed.join(response, lastId, app, () => {
      log('info', 'a reader of events was too slow and was let go', {})
      response.destroy()
    })
    signal.addEventListener('abort', () => feed.part(reader), { once: true })
  }
}

function idOf(request: IncomingMessage, inQuery: string | undefined): string | undefined {
  const header = request.headers['last-event-id']
  return typeof header === 'string' ? header : inQuery
}
