/** Streams of events: the origin's and our own, over the same kind of feed. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as z from 'zod/mini'
import { checkApp } from '../access/scope.ts'
import { eventsType, type Reply } from '../reply.ts'
import { route, type Route } from '../route.ts'
import type { Feed } from '../stream/feed.ts'
import { audienceOf } from '../stream/audience.ts'
import type { Audience } from '../stream/frame.ts'
import { appFilter } from '../shapes/overview.ts'
import { rowTest } from '../overview/filter.ts'
import type { RouteContext } from './route-context.ts'

const lastEventId = z.object({
  /** For those who cannot set the header Last-Event-ID. */
  lastEventId: z.optional(z.string()),
})

export function eventRoutes({ service, prepared, log }: RouteContext): readonly Route[] {
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
      handle: ({ query }, { request, caller }) =>
        streamOf(
          prepared.originFeed,
          idOf(request, query.lastEventId),
          audienceOf({ service, rows: prepared.rows }, caller),
        ),
    }),
    route({
      method: 'GET',
      path: '/api/v1/events',
      access: 'read',
      name: 'events',
      summary: 'Everything as it changes: snapshot or reset, app, left, gone, source, run',
      query: z.extend(appFilter, {
        ...lastEventId.shape,
        app: z.optional(z.string()),
        /** `false`: the opening is `reset` and no snapshot; the list is read from the overview. */
        snapshot: z.optional(z.enum(['true', 'false'])),
      }),
      answers: { 200: { says: 'Server-sent events', body: { type: 'text/event-stream' } } },
      handle({ query }, { request, caller, note }) {
        note.app = query.app ?? ''
        if (query.app !== undefined) checkApp(caller, query.app)
        const { app } = query
        const audience = audienceOf({ service, rows: prepared.rows }, caller, {
          app,
          test: rowTest(query),
          isBrief: query.snapshot === 'false',
        })
        return streamOf(prepared.feed, idOf(request, query.lastEventId), audience)
      },
    }),
  ]

  function streamOf(feed: Feed, lastId: string | undefined, audience: Audience): Reply {
    return {
      kind: 'stream',
      type: eventsType,
      write(response, signal) {
        follow(feed, response, signal, lastId, audience)
      },
    }
  }

  function follow(
    feed: Feed,
    response: ServerResponse,
    signal: AbortSignal,
    lastId: string | undefined,
    audience: Audience,
  ): void {
    const reader = feed.join(response, lastId, audience, () => {
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
