/** Streams of events: the origin's and our own, over the same kind of feed. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Service } from '#model/service.ts'
import * as z from 'zod/mini'
import type { Caller } from '../access/caller.ts'
import { checkApp, isWhole, mayUse, sourceKey, visibleSources } from '../access/scope.ts'
import { eventsType, type Reply } from '../reply.ts'
import { route, type Route } from '../route.ts'
import type { Feed } from '../stream/feed.ts'
import type { Audience } from '../stream/frame.ts'
import type { Desk } from './desk.ts'

const lastEventId = z.object({
  /** For those who cannot set the header Last-Event-ID. */
  lastEventId: z.optional(z.string()),
})

export function eventRoutes({ service, board, log }: Desk): readonly Route[] {
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
          board.originFeed,
          idOf(request, query.lastEventId),
          audienceOf(service, caller, undefined),
        ),
    }),
    route({
      method: 'GET',
      path: '/api/v1/events',
      access: 'read',
      name: 'events',
      summary: 'Everything as it changes: snapshot, app, gone, source, run',
      query: z.extend(lastEventId, { app: z.optional(z.string()) }),
      answers: { 200: { says: 'Server-sent events', body: { type: 'text/event-stream' } } },
      handle({ query }, { request, caller, note }) {
        note.app = query.app ?? ''
        if (query.app !== undefined) checkApp(caller, query.app)
        const audience = audienceOf(service, caller, query.app)
        return streamOf(board.feed, idOf(request, query.lastEventId), audience)
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

/** Of sources a bound token hears only where one of its applications comes from. */
function audienceOf(service: Service, caller: Caller, wanted: string | undefined): Audience {
  if (isWhole(caller) && wanted === undefined) return undefined
  function mayHearOf(subject: string | undefined): boolean {
    const visible = new Set(visibleSources(service, caller).map(sourceKey))
    if (subject !== 'refresh') return visible.has(subject ?? '')
    const [first] = service.sources()
    return first !== undefined && visible.has(sourceKey(first))
  }
  return ({ app, subject }) => {
    if (app !== undefined) return (wanted === undefined || app === wanted) && mayUse(caller, app)
    return isWhole(caller) || mayHearOf(subject)
  }
}
