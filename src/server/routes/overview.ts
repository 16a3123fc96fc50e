/** The list that the dashboard opens with: filtered, sorted, grouped and cut into pages here, from memory. */
import { mayUse } from '../access/scope.ts'
import { ready, type Body } from '../reply.ts'
import { route, type Route } from '../route.ts'
import { overviewOf } from '../overview/overview.ts'
import { overview, overviewQuery } from '../shapes/overview.ts'
import { cached } from '../stream/cached.ts'
import type { RouteContext } from './route-context.ts'

/** Answers that are kept until something changes. */
const mostKept = 64

export function overviewRoutes({ prepared }: RouteContext): readonly Route[] {
  const kept = new Map<string, Body>()
  let version = -1

  return [
    route({
      method: 'GET',
      path: '/api/v1/overview',
      access: 'read',
      name: 'overview',
      summary: 'Applications in pages: filtered, sorted, grouped and counted',
      cost: 'cached',
      query: overviewQuery,
      answers: {
        200: { says: 'A page, and counts of all that the filter lets through', body: overview },
      },
      handle({ query }, { caller }) {
        if (version !== prepared.rows.version()) kept.clear()
        version = prepared.rows.version()
        const name = JSON.stringify([caller.apps ?? null, query])
        const body = kept.get(name) ?? made()
        if (kept.size < mostKept) kept.set(name, body)
        return ready(body)

        function made(): Body {
          const { limit, offset, ...rest } = query
          const wanted = {
            ...rest,
            ...(limit === undefined ? {} : { limit: Number(limit) }),
            ...(offset === undefined ? {} : { offset: Number(offset) }),
          }
          return cached(() =>
            overviewOf(prepared.rows.all(), wanted, (key) => mayUse(caller, key)),
          ).get()
        }
      },
    }),
  ]
}
