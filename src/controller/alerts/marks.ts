/** Marks commits where they came from, each change once. */
import type { CommitStatusDeclared } from '#model/declaration.ts'
import type { AppStatus } from '#model/service.ts'
import { isOf, markDelivery, markOf, type Mark } from './commit-status.ts'
import { deliver } from './deliver.ts'
import type { SerialNotes } from './serial-notes.ts'
import type { AlertParts } from './alert-parts.ts'
import { outbox } from './outbox.ts'

export type Marks = {
  see(status: AppStatus): void
  forget(key: string): void
  idle(): Promise<void>
  close(): void
}

type Item = {
  readonly app: string
  readonly to: CommitStatusDeclared
  readonly mark: Mark
  /** It ends what was said of an earlier commit. */
  readonly isLate?: true
}

const topic = 'commit-status'
const mostWaiting = 2_000
/** Commits of one application that are under way at once: of more nothing is said in the end. */
const mostPending = 20

export async function openMarks(parts: AlertParts, book: SerialNotes): Promise<Marks> {
  const { instance, declared, notes, clock, readSecret, warn } = parts
  /** By application: what was last said of it. */
  const said = new Map<string, string>()
  for (const [key, note] of await notes.read(topic)) {
    if (typeof note === 'string') said.set(key, note)
  }
  const box = outbox<Item>(mostWaiting, clock, {
    async send({ to, mark }, signal) {
      await deliver(markDelivery(to, await readSecret(to.token), mark), signal)
    },
    // not before: what was never sent is sent by the next start
    sent(_, { app, mark, isLate }) {
      if (isLate !== true) book.write(topic, app, textOf(mark))
    },
    gaveUp(_, { to, mark }, why) {
      const words = why === 'too many' ? 'too many were waiting' : why.message
      warn(`commit ${mark.revision.slice(0, 12)} of ${to.repository} was not marked: ${words}`)
    },
  })
  /** By application: commits that were said to be under way, each with the hash of what it wants. */
  const pending = new Map<string, Map<string, string>>()

  /** A commit that another one came after is under way no more: it was applied with that one, or something else was in its place. */
  function endEarlier(
    { key: app, desired }: AppStatus,
    mark: Mark,
    all: readonly CommitStatusDeclared[],
  ): void {
    const known = pending.get(app) ?? new Map<string, string>()
    if (mark.state === 'pending') {
      if (known.size < mostPending) known.set(mark.revision, desired?.hash ?? '')
      pending.set(app, known)
      return
    }
    pending.delete(app)
    for (const [revision, hash] of known) {
      if (revision === mark.revision) continue
      const description = `superseded by ${mark.revision.slice(0, 7)}`
      const other = hash === desired?.hash ? {} : { state: 'superseded' as const, description }
      const ended = { ...mark, ...other, revision }
      for (const to of all) {
        const key = `${to.kind} ${to.api} ${mark.context} ${revision}`
        box.put(key, { app, to, mark: ended, isLate: true })
      }
    }
  }

  return {
    see(status) {
      const all = declared().commitStatus.filter((one) => isOf(one, status.source.shown))
      const mark = all.length === 0 ? undefined : markOf(status, instance)
      if (mark === undefined) return
      const { key: app } = status
      endEarlier(status, mark, all)
      if (said.get(app) === textOf(mark)) return
      said.set(app, textOf(mark))
      for (const to of all) box.put(`${to.kind} ${to.api} ${mark.context}`, { app, to, mark })
    },
    forget(key) {
      pending.delete(key)
      if (said.delete(key)) book.write(topic, key, undefined)
    },
    idle: () => box.idle(),
    close: () => box.close(),
  }
}

function textOf({ revision, state }: Mark): string {
  return `${revision} ${state}`
}
