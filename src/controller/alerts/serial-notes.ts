/** Notes written one after another, for whoever can't wait for them. */
import type { Json } from '#model/json.ts'
import type { Notes } from '#model/store.ts'

export type SerialNotes = {
  write(topic: string, key: string, note: Json | undefined): void
  /** Ends when all that was handed in is written. */
  written(): Promise<void>
}

export function notebook(notes: Notes, warn: (text: string) => void): SerialNotes {
  let last = Promise.resolve()
  return {
    write(topic, key, note) {
      last = last
        .then(() => notes.write(topic, key, note))
        .catch(() => warn('alerts: what was told can not be noted; it may be told again'))
    },
    written: () => last,
  }
}
