/** Sources and targets as they were seen last, and the refresh of one source. */
import * as z from 'zod/mini'
import {
  checkWhole,
  isWhole,
  mayUse,
  visibleApps,
  visibleSources,
  sourceKey,
} from '../access/scope.ts'
import { notFound } from '../access/refusals.ts'
import { json, ready } from '../reply.ts'
import { route, type Route } from '../route.ts'
import { list, source } from '../shapes/model.ts'
import { refreshAnswer } from '../shapes/origin.ts'
import { commit } from '../shapes/overview.ts'
import { cached } from '../stream/cached.ts'
import type { RouteContext } from './route-context.ts'

const sources = list(
  z.extend(source, { id: z.string(), commit: z.optional(commit), apps: z.int() }),
)
const targets = list(
  z.object({
    name: z.string(),
    engine: z.string(),
    version: z.optional(z.string()),
    processors: z.optional(z.int()),
    memory: z.optional(z.number()),
    nodes: z.optional(z.int()),
    state: z.enum(['reachable', 'unreachable', 'unknown']),
    reason: z.string(),
    since: z.number(),
    apps: z.int(),
    attention: z.int(),
    containers: z.object({ running: z.int(), total: z.int() }),
    runs: z.int(),
  }),
)

export function placeRoutes({ service }: RouteContext): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/sources',
      access: 'read',
      name: 'sources',
      summary: 'Repositories and folders that applications come from',
      answers: { 200: { says: 'All sources', body: sources } },
      handle(_, { caller }) {
        const visible = new Set(visibleSources(service, caller).map(sourceKey))
        const rows = service.sourceRows().filter((row) => visible.has(sourceKey(row)))
        if (isWhole(caller)) return ready(cached(() => rows).get())
        // how many others come from it is not for who sees only some
        const own = visibleApps(service, caller)
        const countOf = (name: string) => own.filter((app) => sourceKey(app.source) === name).length
        return json(
          sources,
          rows.map((row) => ({ ...row, apps: countOf(sourceKey(row)) })),
        )
      },
    }),
    route({
      method: 'POST',
      path: '/api/v1/sources/{id}/refresh',
      access: 'sync',
      name: 'refreshSource',
      summary: 'Asks one source now',
      cost: 'dear',
      params: z.object({ id: z.string() }),
      answers: {
        202: { says: 'It goes on, or happens after the one that goes on', body: refreshAnswer },
      },
      handle({ params: { id } }, { caller, note }) {
        const row = service.sourceRows().find((one) => one.id === id)
        const visible = new Set(visibleSources(service, caller).map(sourceKey))
        if (row === undefined || !visible.has(sourceKey(row))) {
          throw notFound(`there is no source ${id}`, '/api/v1/sources lists them')
        }
        const others = service
          .apps()
          .filter((app) => sourceKey(app.source) === sourceKey(row) && !mayUse(caller, app.key))
        if (others.length > 0) checkWhole(caller, 'a refresh of this source')
        note.detail = `${row.shown} ${row.ref}`
        const status = service.refreshSource(id, caller.name)
        return json(refreshAnswer, { status, message: `manual refresh ${status}` }, 202)
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/targets',
      access: 'read',
      name: 'targets',
      summary: 'Engines and clusters as they were seen last: none is asked',
      answers: { 200: { says: 'All targets', body: targets } },
      async handle(_, { caller }) {
        const rows = await service.targets()
        if (isWhole(caller)) return json(targets, rows)
        const own = visibleApps(service, caller)
        const used = new Set(own.map(({ target }) => target))
        const bound = rows
          .filter(({ name }) => used.has(name))
          .map(({ name, engine, version, state, reason, since }) => {
            const here = own.filter(({ target }) => target === name)
            const count = (of: 'running' | 'total') =>
              here.reduce((sum, { containers }) => sum + containers[of], 0)
            const containers = { running: count('running'), total: count('total') }
            const runs = here.filter((app) => app.sync.state === 'syncing').length
            const attention = here.filter((app) => app.health.state !== 'healthy').length
            return {
              name,
              engine,
              ...(version === undefined ? {} : { version }),
              state,
              reason,
              since,
              apps: here.length,
              attention,
              containers,
              runs,
            }
          })
        return json(targets, bound)
      },
    }),
  ]
}
