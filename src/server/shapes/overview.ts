/** Lists of applications as schemas: the query, and what is answered. */
import * as z from 'zod/mini'
import { sorts } from '../overview/order.ts'
import { app, list } from './model.ts'

const text = z.optional(z.string().check(z.maxLength(2_000)))
const whole = z.string().check(z.regex(/^\d{1,9}$/, 'a whole number'))

/** Several values of one part are written with commas. */
export const appFilter = z.object({
  search: text,
  kind: text,
  sync: text,
  health: text,
  target: text,
  source: text,
  label: text,
  only: z.optional(z.enum(['suspended', 'waiting', 'attention'])),
})

export const overviewQuery = z.extend(appFilter, {
  sort: z.optional(z.enum([...sorts, ...sorts.map((sort) => `-${sort}` as const)])),
  group: z.optional(
    z.union([
      z.enum(['target', 'kind', 'source']),
      z.templateLiteral(['label:', z.string().check(z.minLength(1))]),
    ]),
  ),
  limit: z.optional(whole),
  cursor: text,
  offset: z.optional(whole),
})

export const commit = z.object({
  revision: z.string(),
  message: z.string(),
  author: z.string(),
  at: z.number(),
  isSigned: z.optional(z.boolean()),
})

export const appRow = z.extend(app, {
  commit: z.optional(commit),
  blockedBy: list(z.string()),
  isUpdateAvailable: z.boolean(),
  labels: z.record(z.string(), z.string()),
})

const count = z.int()

export const overview = z.object({
  total: count,
  sync: z.object({
    synced: count,
    drifted: count,
    behind: count,
    missing: count,
    syncing: count,
    unknown: count,
  }),
  health: z.object({
    healthy: count,
    progressing: count,
    degraded: count,
    failed: count,
    unknown: count,
  }),
  attention: count,
  leftAlone: count,
  outdated: count,
  worst: z.optional(appRow),
  labels: list(z.string()),
  groups: z.optional(list(z.object({ name: z.string(), total: count, attention: count }))),
  apps: list(appRow),
  next: z.optional(z.string()),
})
