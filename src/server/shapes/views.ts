/** An application from near by, as schemas: its page, its graph, one resource. */
import * as z from 'zod/mini'
import { change, list, resource } from './model.ts'
import { appRow, commit } from './overview.ts'

const syncState = z.enum(['synced', 'drifted', 'missing', 'syncing', 'unknown'])
const healthState = z.enum(['healthy', 'progressing', 'degraded', 'failed', 'unknown'])

export const actionNames = [
  'sync',
  'suspend',
  'resume',
  'acknowledge',
  'adopt',
  'restart',
  'rollback',
  'prune',
  'forget',
] as const
const action = z.optional(z.nullable(z.string()))

export const fieldOrigin = z.object({
  file: z.string(),
  line: z.int(),
  column: z.optional(z.int()),
  commit: z.optional(commit),
})

export const appDetail = z.extend(appRow, {
  /** Null: it can be used now; a sentence: why not; absent: there is no such thing for it. */
  actions: z.object({
    sync: action,
    suspend: action,
    resume: action,
    acknowledge: action,
    adopt: action,
    restart: action,
    rollback: action,
    prune: action,
    forget: action,
  }),
  hasLogs: z.boolean(),
  drift: list(
    z.object({
      ref: z.string(),
      state: syncState,
      reason: z.string(),
      since: z.number(),
      changes: list(
        z.extend(change, { origin: z.optional(fieldOrigin), ignore: z.optional(z.string()) }),
      ),
    }),
  ),
  ignoreAll: z.optional(z.string()),
  heldBy: z.optional(z.object({ reason: z.string(), release: z.string() })),
})

export const graph = z.object({
  nodes: list(
    z.object({
      id: z.string(),
      type: z.enum(['resource', 'app']),
      kind: z.string(),
      name: z.string(),
      sync: syncState,
      health: z.optional(healthState),
      reason: z.string(),
      parent: z.optional(z.string()),
    }),
  ),
  edges: list(
    z.object({
      from: z.string(),
      to: z.string(),
      until: z.enum(['exists', 'started', 'healthy', 'completed']),
    }),
  ),
})

export const timelineEntry = z.object({
  at: z.number(),
  type: z.enum(['run', 'sync', 'health', 'alert', 'commit', 'action', 'source']),
  key: z.optional(z.string()),
  ref: z.optional(z.string()),
  text: z.string(),
  tone: z.enum(['good', 'bad', 'neutral']),
  by: z.optional(z.string()),
  run: z.optional(z.int()),
  commit: z.optional(commit),
  duration: z.optional(z.number()),
})

export const resourceDetail = z.extend(resource, {
  declared: z.optional(z.unknown()),
  running: z.optional(z.unknown()),
  origin: z.optional(fieldOrigin),
  lines: list(z.object({ path: z.string(), value: z.unknown(), origin: fieldOrigin })),
  fields: list(z.extend(change, { origin: z.optional(fieldOrigin) })),
  needs: list(z.string()),
  neededBy: list(z.string()),
  containers: list(z.string()),
  events: list(timelineEntry),
})
