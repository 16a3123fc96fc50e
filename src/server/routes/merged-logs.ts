/** The log of an application over all its containers: JSON lines, or server-sent events for a browser. */
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { LogLine } from '#model/api.ts'
import * as z from 'zod/mini'
import { eventsType } from '../reply.ts'
import { route, type Route } from '../route.ts'
import { heartbeat } from '../stream/frame.ts'
import { doesWait, keyed } from './apps.ts'
import type { RouteContext } from './route-context.ts'

const linesType = 'application/jsonl; charset=utf-8'
const usualTail = 500
/** A reader that takes nothing for so long is let go, ms. */
const patience = 60_000
/** A log that says nothing for so long is begun without its first line, ms. */
const quiet = 500
const beatEvery = 15_000

export function mergedLogRoutes({ service }: RouteContext): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/apps/{key}/logs',
      access: 'read',
      name: 'mergedLogs',
      summary: 'What all its containers write, in the order of time',
      cost: 'dear',
      params: keyed,
      query: z.object({
        since: z.optional(z.string().check(z.regex(/^\d{1,15}$/, 'milliseconds since 1970'))),
        search: z.optional(z.string().check(z.maxLength(500))),
        tail: z.optional(
          z.string().check(z.regex(/^\d{1,5}$/, 'a number of lines, at most 99999')),
        ),
        follow: z.optional(z.enum(['true', 'false', '1', '0', ''])),
        containers: z.optional(z.string().check(z.maxLength(5_000))),
      }),
      answers: {
        200: {
          says: 'A line is {at, container, stream, text}',
          body: { type: 'application/jsonl' },
        },
      },
      async handle({ params: { key }, query }, { request, signal }) {
        const { since, search, tail } = query
        const containers = (query.containers ?? '').split(',').filter((name) => name !== '')
        const wanted = {
          since: since === undefined ? undefined : Number(since),
          search,
          tail: tail === undefined ? usualTail : Number(tail),
          follows: doesWait(query.follow),
          containers,
        }
        const lines = service.mergedLogs(key, wanted, signal)[Symbol.asyncIterator]()
        const first = lines.next()
        // the first line tells whether it can be read at all: until then that can be said as a problem
        await Promise.race([first, pause(quiet, undefined, { ref: false })])
        const isStream = (request.headers.accept ?? '').includes('text/event-stream')
        return {
          kind: 'stream',
          type: isStream ? eventsType : linesType,
          write: (response) => pour(first, lines, response, isStream),
        }
      },
    }),
  ]
}

async function pour(
  first: Promise<IteratorResult<LogLine, unknown>>,
  lines: AsyncIterator<LogLine>,
  response: ServerResponse,
  isStream: boolean,
): Promise<void> {
  const beating = setInterval(() => isStream && response.write(heartbeat), beatEvery)
  try {
    for (let line = await first; line.done !== true; line = await lines.next()) {
      const text = JSON.stringify(line.value)
      if (response.destroyed) return
      if (!response.write(isStream ? `data: ${text}\n\n` : `${text}\n`))
        await once(response, 'drain', { signal: AbortSignal.timeout(patience) })
    }
    // a browser would come back for ever to a log that has ended
    if (isStream) response.write('event: end\ndata: {}\n\n')
    response.end()
  } catch {
    // it began as an answer: that it does not end well can only be told by breaking off
    response.destroy()
  } finally {
    clearInterval(beating)
    await lines.return?.()
  }
}
