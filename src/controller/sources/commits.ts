/** Who wrote which commit and when: kept for what is in force and for runs of the past, whose commits are not fetched any more. */
import type { CommitFacts } from '#model/api.ts'
import type { Json } from '#model/json.ts'
import type { Snapshot } from '#model/source.ts'
import type { Notes } from '#model/store.ts'
import * as z from 'zod/mini'

const factsSchema = z.object({
  revision: z.string(),
  message: z.string(),
  author: z.string(),
  at: z.number(),
  isSigned: z.optional(z.boolean()),
})

const topic = 'commit'
/** More than that: the oldest are forgotten. */
const most = 5_000

export type Commits = {
  get(revision: string): CommitFacts | undefined
  /** What an earlier process knew. */
  read(): Promise<void>
  /** A note that can't be written costs the names after a restart, and nothing else. */
  keep(facts: CommitFacts): Promise<void>
}

export function commitsIn(notes: Notes): Commits {
  const known = new Map<string, CommitFacts>()

  async function forgetOld(): Promise<void> {
    if (known.size <= most) return
    const oldest = [...known.values()].toSorted((one, other) => one.at - other.at)
    for (const { revision } of oldest.slice(0, known.size - most)) {
      known.delete(revision)
      await notes.write(topic, revision, undefined)
    }
  }

  return {
    get: (revision) => known.get(revision),
    async read() {
      for (const note of (await notes.read(topic)).values()) {
        const facts = factsSchema.safeParse(note)
        if (facts.success) known.set(facts.data.revision, withoutUndefined(facts.data))
      }
    },
    async keep(facts) {
      if (known.has(facts.revision)) return
      known.set(facts.revision, facts)
      const note: Json = JSON.parse(JSON.stringify(facts))
      // they are read from Git again after a restart
      await notes.write(topic, facts.revision, note).catch(() => undefined)
      // what is old only takes room until the next time
      await forgetOld().catch(() => undefined)
    },
  }
}

/** Undefined where the source has no commits: a directory. */
export function commitIn(snapshot: Snapshot): CommitFacts | undefined {
  const { revision, message, author, at, isSigned } = snapshot
  if (author === undefined) return undefined
  return { revision, message, author, at, ...(isSigned === undefined ? {} : { isSigned }) }
}

function withoutUndefined({ isSigned, ...facts }: z.infer<typeof factsSchema>): CommitFacts {
  return isSigned === undefined ? facts : { ...facts, isSigned }
}
