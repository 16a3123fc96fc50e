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

type Item = { readonly app: string; readonly to: CommitStatusDeclared; readonly mark: Mark }

const topic = 'commit-status'
const mostWaiting = 2_000

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
    sent: (_, { app, mark }) => book.write(topic, app, textOf(mark)),
    gaveUp(_, { to, mark }, why) {
      const words = why === 'too many' ? 'too many were waiting' : why.message
      warn(`commit ${mark.revision.slice(0, 12)} of ${to.repository} was not marked: ${words}`)
    },
  })
  return {
    see(status) {
      const all = declared().commitStatus.filter((one) => isOf(one, status.source.shown))
      const mark = all.length === 0 ? undefined : markOf(status, instance)
      if (mark === undefined) return
      const { key: app } = status
      if (said.get(app) === textOf(mark)) return
      said.set(app, textOf(mark))
      for (const to of all) box.put(`${to.kind} ${to.api} ${mark.context}`, { app, to, mark })
    },
    forget(key) {
      if (said.delete(key)) book.write(topic, key, undefined)
    },
    idle: () => box.idle(),
    close: () => box.close(),
  }
}

function textOf({ revision, state }: Mark): string {
  return `${revision} ${state}`
}
