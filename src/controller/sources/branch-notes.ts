/** What a next start knows of a branch: what was read of it, whether history was rewritten, and since when its newest revision is refused. */
import type { Clock } from '#model/clock.ts'
import type { ProblemFacts } from '#model/problem.ts'
import type { RefusedRevision } from '#model/service.ts'
import type { Notes } from '#model/store.ts'
import type { Branch } from './repository-poller.ts'
import { readSourceNote, sourceNote, sourceNoteKey, sourceTopic } from './source-note.ts'

export type BranchNotes = {
  /** Last: what can't be noted is applied all the same. */
  note(branch: Branch, revision: string): Promise<void>
  noted(branch: Branch): Promise<ReturnType<typeof readSourceNote>>
  /** What a service before this one knew. */
  recall(branch: Branch): Promise<void>
  /** The revision could be had and must not be used. Undefined: it is the one in use, or nothing is. */
  refuse(
    branch: Branch,
    revision: string,
    problem: ProblemFacts,
  ): Promise<RefusedRevision | undefined>
}

export function branchNotes(notes: Notes, clock: Clock): BranchNotes {
  async function note(branch: Branch, revision: string): Promise<void> {
    const { message, rewritten, refused } = branch.status
    const text = sourceNote({ revision, message, rewritten, refused })
    await notes.write(sourceTopic, sourceNoteKey(branch.status), text)
    branch.noted = revision
  }

  async function noted({ status }: Branch): ReturnType<BranchNotes['noted']> {
    return readSourceNote((await notes.read(sourceTopic)).get(sourceNoteKey(status)))
  }

  return {
    note,
    noted,
    async recall(branch) {
      // without the note nothing is known of before
      const before = await noted(branch).catch(() => undefined)
      if (before === undefined) return
      branch.known = before.revision
      branch.status = { ...branch.status, rewritten: before.rewritten }
    },
    async refuse(branch, revision, problem) {
      const { snapshot, status } = branch
      if (snapshot === undefined || snapshot.revision === revision) return undefined
      // without the note it counts from now on
      const before = status.refused ?? (await noted(branch).catch(() => undefined))?.refused
      const isKnown = before?.revision === revision
      const refused = { revision, problem, since: isKnown ? before.since : clock.now() }
      branch.status = { ...status, refused }
      // it is told all the same, and after a restart from then on
      if (!isKnown) await note(branch, snapshot.revision).catch(() => undefined)
      return refused
    },
  }
}
