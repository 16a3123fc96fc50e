/** What is remembered of each application between starts. Truth about what runs is on the resources; this is what they can't tell. */
import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import type { Json } from '#model/json.ts'
import type { Notes } from '#model/store.ts'
import type { Peers } from '../replicas/peers.ts'

const version = z.object({ revision: z.string(), message: z.string(), hash: z.string() })

const summary = z.object({
  created: z.number(),
  updated: z.number(),
  deleted: z.number(),
  unchanged: z.number(),
  failed: z.number(),
  skipped: z.number(),
})

/** Of problems what is worth telling after a restart. */
const problem = z.object({
  type: z.enum(['configuration', 'validation', 'dependency', 'runtime']),
  code: z.string(),
  message: z.string(),
  suggestion: z.optional(z.string()),
  at: z.optional(z.object({ file: z.string(), line: z.number(), column: z.number() })),
})

const persistedSchema = z.object({
  /** First install, ms. */
  since: z.number(),
  /** Which declaration it comes from: '' for one of its own, else the name of the discovery. */
  from: z.string(),
  /** Where it was last found: source, ref and folder. */
  place: z.optional(z.string()),
  /** Its folder in the source. */
  path: z.optional(z.string()),
  /** Where it runs, as declared. */
  target: z.optional(z.string()),
  /** It was declared to be removed when it is gone from its source. */
  removes: z.boolean(),
  isRemoved: z.boolean(),
  suspended: z.optional(z.boolean()),
  acknowledged: z.optional(z.string()),
  leftBehind: z.optional(z.string()),
  /** What was wanted when a run began that has not ended. */
  begun: z.optional(z.string()),
  /** What another release wrote is made anew from the source. */
  // oxlint-disable-next-line promise/valid-params -- this is no promise
  desired: z.catch(
    z.optional(
      z.object({
        hash: z.string(),
        file: z.string(),
        inputs: z.object({ about: z.string(), read: z.string() }),
        /** What its render warned of: what a policy lets pass and names. */
        warnings: z.optional(z.array(z.string())),
      }),
    ),
    undefined,
  ),
  synced: z.optional(z.extend(version, { at: z.number() })),
  lastRun: z.optional(
    z.object({
      number: z.optional(z.number()),
      trigger: z.string(),
      outcome: z.enum(['succeeded', 'failed', 'interrupted', 'refused']),
      isRolledBack: z.boolean(),
      at: z.number(),
      problem: z.optional(problem),
      summary,
    }),
  ),
  failure: z.optional(
    z.object({
      hash: z.string(),
      revision: z.optional(z.string()),
      tries: z.number(),
      at: z.number(),
      reason: z.string(),
      code: z.optional(z.string()),
      details: z.optional(z.array(z.string())),
      isRolledBack: z.boolean(),
      isUntouched: z.optional(z.boolean()),
      wentBack: z.optional(z.boolean()),
      isPruning: z.optional(z.boolean()),
      isPassing: z.boolean(),
      nextTry: z.number(),
      epoch: z.number(),
      provenAt: z.optional(z.number()),
    }),
  ),
  /** How everything looked when it was last found to be as declared. */
  clean: z.optional(z.object({ hash: z.string(), fingerprint: z.string() })),
  /** The two answers that were last given, and since when. */
  answers: z.optional(
    z.object({
      sync: z.object({ state: z.string(), since: z.number() }),
      health: z.object({ state: z.string(), since: z.number() }),
    }),
  ),
  /** When what is in force was first applied: its probation begins there. */
  changedAt: z.optional(z.number()),
  /** Help that it got because it was not well, of what is in force. */
  help: z.optional(
    z.object({
      hash: z.string(),
      count: z.number(),
      at: z.number(),
      isOver: z.optional(z.boolean()),
    }),
  ),
  /** Repairs in a row, and when the last one was. */
  repairs: z.optional(
    z.object({
      count: z.number(),
      /** Of those, how many in a row were of what had ended with this exit code. */
      ended: z.optional(z.number()),
      code: z.optional(z.string()),
      at: z.number(),
    }),
  ),
})

export type PersistedState = Readonly<z.infer<typeof persistedSchema>>

const topic = 'service.app'

export type PersistedStates = {
  read(): Promise<ReadonlyMap<string, PersistedState>>
  /** Only what changed is written; undefined forgets it. */
  keep(key: string, persisted: PersistedState | undefined): Promise<void>
}

/** What can't be read counts as never written. With others on the same database, the one that looks after an application writes. */
export function persistedStatesIn(notes: Notes, peers?: Pick<Peers, 'keep'>): PersistedStates {
  /** Only told apart: the texts of a thousand would be a megabyte. */
  const written = new Map<string, string>()
  /** One after the other for each application: over several connections the older of two could be written last. */
  const last = new Map<string, Promise<void>>()

  async function inTurn(key: string, work: () => Promise<void>): Promise<void> {
    const before = last.get(key) ?? Promise.resolve()
    // whoever came before hears of its own failure
    const own = before.catch(() => undefined).then(work)
    last.set(key, own)
    try {
      await own
    } finally {
      if (last.get(key) === own) last.delete(key)
    }
  }

  return {
    async read() {
      const found = new Map<string, PersistedState>()
      for (const [key, note] of await notes.read(topic)) {
        const persisted = persistedSchema.safeParse(note)
        if (!persisted.success) continue
        found.set(key, persisted.data)
        written.set(key, signOf(JSON.stringify(persisted.data)))
      }
      return found
    },
    async keep(key, persisted) {
      const text = persisted === undefined ? '' : JSON.stringify(persisted)
      const sign = signOf(text)
      if ((written.get(key) ?? signOf('')) === sign) return
      written.set(key, sign)
      const note: Json | undefined = persisted === undefined ? undefined : JSON.parse(text)
      try {
        await inTurn(key, () =>
          peers === undefined ? notes.write(topic, key, note) : peers.keep(key, topic, note),
        )
      } catch (thrown) {
        // the next one is written in any case, also if it says the same
        if (written.get(key) === sign) written.set(key, 'failed')
        throw thrown
      }
    },
  }
}

function signOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}
