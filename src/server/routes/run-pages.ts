/** Runs of all applications or of one, in pages. */
import type { RunRow } from '#model/api.ts'
import type { RunPlace } from '#model/store.ts'
import * as z from 'zod/mini'
import { checkApp, mayUse } from '../access/scope.ts'
import { cursorText, readCursor } from '../cursor.ts'
import { json } from '../reply.ts'
import { route, type Route } from '../route.ts'
import { list, outcome, summary, trigger } from '../shapes/model.ts'
import { commit } from '../shapes/overview.ts'
import type { RouteContext } from './route-context.ts'

const runRow = z.object({
  key: z.string(),
  number: z.int(),
  trigger,
  by: z.optional(z.string()),
  version: z.string(),
  commit: z.optional(commit),
  startedAt: z.number(),
  endedAt: z.optional(z.number()),
  outcome: z.optional(outcome),
  isRolledBack: z.boolean(),
  summary: z.optional(summary),
  hash: z.string(),
  hasSnapshot: z.boolean(),
})
const page = z.object({ runs: list(runRow), next: z.optional(z.string()) })
const [usualRuns, mostRuns] = [50, 500]

export function runPageRoutes({ service }: RouteContext): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/runs',
      access: 'read',
      name: 'allRuns',
      summary: 'Runs in pages, newest first: of all applications, or of one',
      cost: 'dear',
      query: z.object({
        app: z.optional(z.string()),
        limit: z.optional(z.string().check(z.regex(/^[1-9]\d{0,4}$/, 'a number from 1 to 99999'))),
        cursor: z.optional(z.string()),
      }),
      answers: { 200: { says: 'What is remembered', body: page } },
      async handle({ query }, { caller, note }) {
        const { app } = query
        note.app = app ?? ''
        if (app !== undefined) checkApp(caller, app)
        const limit = Math.min(Number(query.limit ?? usualRuns), mostRuns)
        const before = query.cursor === undefined ? undefined : placeIn(query.cursor)
        const isMeant = (key: string) => mayUse(caller, key)
        const runs = await service.runPage({ app, before, limit: limit + 1, isMeant })
        const shown = runs.slice(0, limit)
        const last = runs.length > limit ? shown.at(-1) : undefined
        return json(page, { runs: shown, ...(last === undefined ? {} : { next: cursorOf(last) }) })
      },
    }),
  ]
}

const placeSchema = z.tuple([z.number(), z.string(), z.number()])

function cursorOf({ startedAt, key, number }: RunRow): string {
  return cursorText([startedAt, key, number])
}

function placeIn(cursor: string): RunPlace {
  const [startedAt, key, number] = readCursor(placeSchema, cursor)
  return { startedAt, key, number }
}
