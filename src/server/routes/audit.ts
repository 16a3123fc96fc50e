/** Who did what: the audit log over HTTP. */
import * as z from 'zod/mini'
import { json } from '../reply.ts'
import { route, type Route } from '../route.ts'
import { list } from '../shapes/model.ts'
import type { RouteContext } from './route-context.ts'

const auditRow = z.object({
  number: z.int(),
  at: z.number(),
  by: z.string(),
  id: z.string(),
  who: z.string(),
  address: z.string(),
  action: z.string(),
  app: z.string(),
  status: z.int(),
  detail: z.string(),
  count: z.int(),
})
const page = z.object({
  rows: list(auditRow),
  /** For `before` of the next page; absent on the last one. */
  next: z.optional(z.int()),
})
const whole = z.string().check(z.regex(/^\d{1,15}$/, 'a whole number'))
const [usualRows, mostRows] = [100, 1_000]

export function auditRoutes({ audit }: RouteContext): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/audit',
      access: 'admin',
      name: 'audit',
      summary: 'Who asked for which change, newest first',
      cost: 'dear',
      query: z.object({
        since: z.optional(whole),
        app: z.optional(z.string()),
        who: z.optional(z.string()),
        before: z.optional(whole),
        limit: z.optional(z.string().check(z.regex(/^[1-9]\d{0,3}$/, 'a number from 1 on'))),
      }),
      answers: { 200: { says: 'One page of rows', body: page } },
      async handle({ query }) {
        const limit = Math.min(Number(query.limit ?? usualRows), mostRows)
        const number = (text: string | undefined) => (text === undefined ? undefined : Number(text))
        const { app, who } = query
        const wanted = { app, who, since: number(query.since), before: number(query.before) }
        const rows = await audit.read({ ...wanted, limit: limit + 1 })
        const shown = rows.slice(0, limit)
        const next = rows.length > limit ? shown.at(-1)?.number : undefined
        return json(page, { rows: shown, next })
      },
    }),
  ]
}
