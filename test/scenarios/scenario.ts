/** The files of this folder: what is there, what is wanted, and what is to happen. */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parse } from 'yaml'
import * as z from 'zod/mini'

const texts = z.record(z.string(), z.string())

/** One run of a chart. What it leaves out is that of the scenario. */
const run = z.strictObject({
  /** The text of templates/chart.yaml. */
  chart: z.optional(z.string()),
  /** Over the values of the scenario. */
  values: z.optional(z.record(z.string(), z.unknown())),
  /** Further files of the chart. */
  files: z.optional(texts),
  version: z.optional(z.string()),
  namespace: z.optional(z.string()),
  isUninstall: z.optional(z.boolean()),
  options: z.optional(
    z.strictObject({
      isAtomic: z.optional(z.boolean()),
      allowEmpty: z.optional(z.boolean()),
      allowMassDelete: z.optional(z.boolean()),
      recreateVolumes: z.optional(z.boolean()),
      pruneVolumes: z.optional(z.boolean()),
    }),
  ),
})
export type Run = z.infer<typeof run>

/** Killed: the run never hears of the end of the first call that this matches (`METHOD /path`). */
const killed = z.strictObject({ ...run.shape, at: z.string() })

const step = z.union([
  z.strictObject({ install: run }),
  z.strictObject({ killed }),
  /** In the words of by-hand.ts. */
  z.strictObject({ hand: z.string() }),
])
export type Step = z.infer<typeof step>

const error = z.strictObject({
  type: z.enum(['configuration', 'validation', 'dependency', 'podman_api']),
  code: z.string(),
  ref: z.optional(z.string()),
  /** A part of it. */
  message: z.string(),
  /** file:line */
  at: z.optional(z.string()),
  /** A part of it. */
  suggestion: z.optional(z.string()),
})
export type ExpectedError = z.infer<typeof error>

const scenario = z.strictObject({
  name: z.string(),
  chart: z.string(),
  values: z.optional(z.record(z.string(), z.unknown())),
  files: z.optional(texts),
  initial: z.optional(z.array(step)),
  desired: run,
  expected: z.strictObject({
    outcome: z.enum(['succeeded', 'failed', 'refused']),
    isRolledBack: z.optional(z.boolean()),
    /** Every line of the plan, in any order: `replace container/web: image`, the words behind the colon being a part. */
    actions: z.array(z.string()),
    /** Lines `container/web image: a → b`, as a dry run shows them. */
    changes: z.optional(z.array(z.string())),
    /** `container/web before network/inner`: all calls on the one end before any on the other begins. */
    order: z.optional(z.array(z.string())),
    errors: z.optional(z.array(error)),
    warnings: z.optional(z.array(z.string())),
    /** The same object as before, and not restarted. */
    untouched: z.optional(z.array(z.string())),
    /** All there is in the end: `container/web running on inner`, `volume/data`. */
    state: z.optional(z.array(z.string())),
  }),
})
export type Scenario = z.infer<typeof scenario> & { readonly file: string }

export function readScenario(path: string): Scenario {
  const read = z.safeParse(scenario, parse(readFileSync(path, 'utf8')))
  if (!read.success) throw new Error(`${path}: ${z.prettifyError(read.error)}`)
  return { ...read.data, file: basename(path) }
}
