/** One time-line over everything: what was kept of applications and sources, and from the audit log who did what. */
import type { TimelineEntry } from '#model/api.ts'
import type { AuditRow } from '#model/audit.ts'
import * as z from 'zod/mini'
import type { Caller } from '../access/caller.ts'
import { checkApp, isWhole, mayUse } from '../access/scope.ts'
import { rowTest } from '../overview/filter.ts'
import { json } from '../reply.ts'
import { route, type Route } from '../route.ts'
import { list } from '../shapes/model.ts'
import { appFilter } from '../shapes/overview.ts'
import { timelineEntry } from '../shapes/views.ts'
import type { RouteContext } from './route-context.ts'

const page = z.object({ entries: list(timelineEntry), next: z.optional(z.number()) })
const whole = z.string().check(z.regex(/^\d{1,15}$/, 'milliseconds since 1970'))
const [usualEntries, mostEntries] = [200, 1_000]
/** Rows that are looked through for a page, where a filter leaves out many. */
const mostRead = 20_000
/** What is no news for anybody else. */
const unsaid: ReadonlySet<string> = new Set([
  'makePlan',
  'endSession',
  'logout',
  'beginSession',
  'makeLoginLink',
  'loggedIn',
])

export function timelineRoutes({ timeline, audit, prepared }: RouteContext): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/timeline',
      access: 'read',
      name: 'timeline',
      summary: 'Runs, drift, health, commits, sources and who did what, newest first',
      cost: 'dear',
      query: z.extend(appFilter, {
        from: z.optional(whole),
        to: z.optional(whole),
        app: z.optional(z.string()),
        types: z.optional(z.string().check(z.maxLength(200))),
        limit: z.optional(z.string().check(z.regex(/^[1-9]\d{0,3}$/, 'a number from 1 to 9999'))),
      }),
      answers: { 200: { says: 'One page', body: page } },
      async handle({ query }, { caller, note }) {
        const { app } = query
        note.app = app ?? ''
        if (app !== undefined) checkApp(caller, app)
        const limit = Math.min(Number(query.limit ?? usualEntries), mostEntries)
        const from = query.from === undefined ? undefined : Number(query.from)
        const to = query.to === undefined ? undefined : Number(query.to)
        const types = new Set((query.types ?? '').split(',').filter((type) => type !== ''))
        const test = rowTest(query)
        const fits = ({ key, type }: TimelineEntry): boolean => {
          if (types.size > 0 && !types.has(type)) return false
          if (key === undefined) return isWhole(caller) && test === undefined
          const row = prepared.rows.get(key)
          return mayUse(caller, key) && (test === undefined || (row !== undefined && test(row)))
        }
        const isPlain = isWhole(caller) && test === undefined && types.size === 0
        const most = isPlain ? limit + 1 : mostRead
        const kept = await timeline.read({ from, to, app, limit: most })
        const rows = await audit.read({ since: from, until: to, app, limit: most })
        const acts = rows.flatMap((row) => actOf(row, caller))
        const all = [...kept, ...acts].filter(fits).toSorted((one, other) => other.at - one.at)
        const shown = all.slice(0, limit)
        const last = all.length > limit ? shown.at(-1) : undefined
        return json(page, { entries: shown, ...(last === undefined ? {} : { next: last.at - 1 }) })
      },
    }),
  ]
}

/** Only what was done; what was refused is in the audit log, for admins. */
function actOf(
  { at, action, app, who, status, detail }: AuditRow,
  { role }: Caller,
): readonly TimelineEntry[] {
  if (status === 0 || status >= 400 || unsaid.has(action)) return []
  // of what concerns no application only an admin may know the words
  const words = detail === '' || (app === '' && role !== 'admin') ? '' : `: ${detail}`
  const entry = { at, type: 'action', text: `${action}${words}`, tone: 'neutral', by: who } as const
  return [app === '' ? entry : { ...entry, key: app }]
}
