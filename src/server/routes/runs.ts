/** Our own endpoints for runs, sources and what containers write. */
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod/mini'
import { notFound } from '../access/refusals.ts'
import { checkWhole } from '../access/scope.ts'
import { json, textType } from '../reply.ts'
import { route, type Route } from '../route.ts'
import { event, list, run } from '../shapes/model.ts'
import { refreshAnswer } from '../shapes/origin.ts'
import { shownEvent } from '../shapes/shown-plan.ts'
import { doesWait, keyed } from './apps.ts'
import type { RouteContext } from './route-context.ts'

const runs = list(run)
const runWithEvents = z.object({ run, events: list(event) })
/** A reader of a log that takes nothing for so long is let go, ms. */
const patience = 60_000
/** A log that says nothing for so long is begun without its first line, ms. */
const quiet = 500

export function runRoutes({ service }: RouteContext): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/apps/{key}/runs',
      access: 'read',
      name: 'runs',
      summary: 'Its runs, newest first',
      params: keyed,
      answers: { 200: { says: 'What is remembered', body: runs } },
      async handle({ params }) {
        return json(runs, await service.runs(params.key))
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/apps/{key}/runs/{run}',
      access: 'read',
      name: 'run',
      summary: 'One run with its events',
      params: z.extend(keyed, {
        run: z.string().check(z.regex(/^[1-9]\d{0,8}$/, 'the number of a run, from 1')),
      }),
      answers: { 200: { says: 'The run', body: runWithEvents } },
      async handle({ params: { key, run: text } }) {
        const number = Number(text)
        const found = (await service.runs(key)).find((one) => one.number === number)
        if (found === undefined) {
          throw notFound(`${key} has no run ${number}`, `/api/v1/apps/{key}/runs lists them`)
        }
        const events = await service.events(key, number)
        return json(runWithEvents, { run: found, events: events.map(shownEvent) })
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/apps/{key}/logs/{container}',
      access: 'read',
      name: 'logs',
      summary: 'What a container writes, line by line',
      cost: 'dear',
      params: z.extend(keyed, { container: z.string() }),
      query: z.object({
        tail: z.optional(
          z.string().check(z.regex(/^\d{1,6}$/, 'a number of lines, at most 999999')),
        ),
        follow: z.optional(z.enum(['true', 'false', '1', '0', ''])),
      }),
      answers: {
        200: { says: 'Lines, for as long as there are any', body: { type: 'text/plain' } },
      },
      async handle({ params: { key, container }, query }, { signal }) {
        const tail = query.tail === undefined ? undefined : Number(query.tail)
        const wanted = { tail, follows: doesWait(query.follow) }
        const lines = service.logs(key, container, wanted, signal)[Symbol.asyncIterator]()
        const first = lines.next()
        // the first line tells whether there is such a container: until then it can be said as a problem
        await Promise.race([first, pause(quiet, undefined, { ref: false })])
        return {
          kind: 'stream',
          type: textType,
          write: (response) => pour(first, lines, response),
        }
      },
    }),
    route({
      method: 'POST',
      path: '/api/v1/refresh',
      access: 'sync',
      name: 'refresh',
      summary: 'Asks all sources now',
      cost: 'dear',
      answers: {
        202: { says: 'It goes on, or happens after the one that goes on', body: refreshAnswer },
      },
      handle(_, { caller }) {
        checkWhole(caller, 'a refresh')
        const status = service.refresh(caller.name)
        return json(refreshAnswer, { status, message: `manual refresh ${status}` }, 202)
      },
    }),
  ]
}

async function pour(
  first: Promise<IteratorResult<string, unknown>>,
  lines: AsyncIterator<string>,
  response: ServerResponse,
): Promise<void> {
  try {
    for (let line = await first; line.done !== true; line = await lines.next()) {
      const text = line.value.endsWith('\n') ? line.value : `${line.value}\n`
      if (response.destroyed) return
      if (!response.write(text))
        await once(response, 'drain', { signal: AbortSignal.timeout(patience) })
    }
    response.end()
  } catch {
    // it began as an answer: that it does not end well can only be told by breaking off
    response.destroy()
  } finally {
    await lines.return?.()
  }
}
