/** The model's words as schemas: what /api/v1 answers with is what the rest of Tend speaks of. Times are milliseconds. */
import * as z from 'zod/mini'

export function list<Item extends z.ZodMiniType>(item: Item) {
  return z.readonly(z.array(item))
}

const place = z.object({ file: z.string(), line: z.number(), column: z.number() })

export const problemFacts = z.object({
  type: z.enum(['configuration', 'validation', 'dependency', 'runtime']),
  code: z.string(),
  message: z.string(),
  ref: z.optional(z.string()),
  at: z.optional(place),
  suggestion: z.optional(z.string()),
  details: z.optional(list(z.string())),
  recoverable: z.optional(z.boolean()),
  cause: z.optional(z.unknown()),
})

export const trigger = z.enum([
  'manual',
  'rollback',
  'reinit',
  'drift',
  'health',
  'refresh',
  'webhook',
  'start-up',
])
export const outcome = z.enum(['succeeded', 'failed', 'interrupted', 'refused'])

export const summary = z.object({
  created: z.int(),
  updated: z.int(),
  deleted: z.int(),
  unchanged: z.int(),
  failed: z.int(),
  skipped: z.int(),
})

const application = z.object({
  kind: z.string(),
  namespace: z.nullable(z.string()),
  name: z.string(),
})

const version = { revision: z.string(), message: z.string(), hash: z.string() }

export const state = z.enum([
  'missing',
  'syncing',
  'synced',
  'deleting',
  'failed',
  'drifted',
  'suspended',
])

const sync = z.object({
  state: z.enum(['synced', 'drifted', 'missing', 'syncing', 'unknown']),
  reason: z.string(),
  isBehind: z.optional(z.literal(true)),
})
export const health = z.object({
  state: z.enum(['healthy', 'progressing', 'degraded', 'failed', 'unknown']),
  reason: z.string(),
  details: z.optional(list(z.string())),
  restartCount: z.optional(z.int()),
  exitCode: z.optional(z.int()),
  since: z.number(),
})

/** The newest revision of a source that is not used. */
const refused = z.object({ revision: z.string(), since: z.number(), problem: problemFacts })

export const app = z.object({
  key: z.string(),
  application,
  state,
  reason: z.string(),
  sync: z.extend(sync, { since: z.number() }),
  health: z.extend(health, { isGivenUp: z.boolean() }),
  desired: z.optional(z.object(version)),
  synced: z.optional(z.object({ ...version, at: z.number() })),
  lastRun: z.optional(
    z.object({
      number: z.optional(z.int()),
      trigger,
      outcome,
      isRolledBack: z.boolean(),
      at: z.number(),
      problem: z.optional(problemFacts),
      summary,
    }),
  ),
  nextTry: z.optional(z.number()),
  failures: z.int(),
  isSuspended: z.boolean(),
  isUndeclared: z.optional(z.literal(true)),
  needsAcknowledgement: z.boolean(),
  containers: z.object({ running: z.int(), total: z.int(), completed: z.optional(z.int()) }),
  source: z.object({ shown: z.string(), ref: z.string(), path: z.string(), file: z.string() }),
  target: z.string(),
  dependsOn: list(z.string()),
  warnings: z.optional(list(z.string())),
  refused: z.optional(refused),
  labels: z.optional(z.record(z.string(), z.string())),
})

export const syncAnswer = z.object({
  status: app,
  outcome: z.optional(outcome),
  unread: z.optional(problemFacts),
})

export const container = z.object({
  id: z.string(),
  name: z.string(),
  service: z.string(),
  state: z.string(),
  health: z.enum(['healthy', 'unhealthy', 'starting', 'none']),
  image: z.string(),
  ports: z.string(),
  ref: z.optional(z.string()),
})

export const source = z.object({
  shown: z.string(),
  ref: z.string(),
  revision: z.string(),
  message: z.string(),
  refType: z.enum(['branch', 'tag', 'commit', 'directory', 'artifact', 'table', 'declarations']),
  at: z.number(),
  state: z.enum(['queued', 'refreshing', 'completed', 'failed']),
  problem: z.optional(problemFacts),
  rewritten: z.optional(z.object({ from: z.string(), at: z.number() })),
  refused: z.optional(refused),
})

export const run = z.object({
  number: z.int(),
  trigger,
  version: z.string(),
  startedAt: z.number(),
  endedAt: z.optional(z.number()),
  outcome: z.optional(outcome),
  isRolledBack: z.boolean(),
  summary: z.optional(summary),
  hash: z.string(),
  hasSnapshot: z.boolean(),
  revision: z.optional(z.string()),
  by: z.optional(z.string()),
})

export const change = z.object({ path: z.string(), from: z.unknown(), to: z.unknown() })
const step = z.enum(['create', 'update', 'replace', 'delete'])

/** Both answers of one resource; without a health of its own, that it exists is all that can be said. */
export const syncOfResource = z.extend(sync, { changes: list(change) })
export const resource = z.object({
  ref: z.string(),
  sync: z.extend(syncOfResource, { since: z.number() }),
  health: z.optional(health),
})
const need = z.looseObject({})

const operation = z.object({
  id: z.string(),
  verb: z.string(),
  payload: z.null(),
  after: list(z.string()),
  words: z.string(),
  command: z.optional(z.string()),
  disrupts: z.boolean(),
})

const group = z.object({
  ref: z.string(),
  step,
  cause: z.string(),
  changes: list(change),
  needs: list(need),
  prepare: list(operation),
  make: list(operation),
  gate: z.enum(['none', 'started', 'healthy', 'completed']),
  subject: z.null(),
  undo: list(operation),
  finish: list(operation),
})

/** As the model has it, but payloads and subjects are null: only `operate` needs them, and they are not for others' eyes. */
export const plan = z.object({
  groups: list(group),
  unchanged: list(z.string()),
  skipped: list(
    z.object({ ref: z.string(), problem: problemFacts, isAbsent: z.optional(z.boolean()) }),
  ),
  kept: list(z.object({ ref: z.string(), why: z.string() })),
  warnings: list(z.string()),
  isFirst: z.boolean(),
})

export const diff = z.object({
  resources: list(z.object({ ref: z.string(), step, cause: z.string(), changes: list(change) })),
  /** What is not touched, and why; of a kustomization it means that nothing is. */
  skipped: list(z.object({ ref: z.string(), problem: problemFacts })),
  /** What a person should know: what would be taken over, what a change does to others. */
  notes: z.array(z.string()),
  /** The same for a person, one line a field. */
  text: z.string(),
})

/** One of a run's events: `type` says which fields there are (src/model/event.ts has them all). */
export const event = z.looseObject({
  at: z.number(),
  type: z.enum([
    'started',
    'opened',
    'held',
    'warning',
    'rendered',
    'problem',
    'planned',
    'operation',
    'progress',
    'group',
    'ended',
  ]),
})
