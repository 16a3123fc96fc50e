/** Remembers deliveries, across restarts and for all replicas: what was handled once is not handled again. */
import { createHash } from 'node:crypto'
import { isRecord } from '#model/json.ts'
import type { Notes } from '#model/store.ts'

export type Deliveries = {
  /** False when one of these marks was seen before; else they are remembered when it resolves. */
  accept(marks: readonly string[]): Promise<boolean>
  has(mark: string): Promise<boolean>
  /** It was not handled after all. */
  forget(marks: readonly string[]): Promise<void>
}

const topic = 'hook-delivery'

/** The newest `most` marks are kept. */
export function deliveriesOf(notes: Notes, most: number, now: () => number): Deliveries {
  let reading: Promise<Set<string>> | undefined

  async function remembered(): Promise<Set<string>> {
    const kept = [...(await notes.read(topic))].map(([key, note]) => {
      const at = isRecord(note) ? note['at'] : 0
      return { key, at: typeof at === 'number' ? at : 0 }
    })
    return new Set(kept.toSorted((one, other) => one.at - other.at).map(({ key }) => key))
  }

  function known(): Promise<Set<string>> {
    reading ??= remembered().catch((thrown: unknown) => {
      reading = undefined
      throw thrown
    })
    return reading
  }

  return {
    async accept(marks) {
      const seen = await known()
      const keys = marks.map(keyOf)
      if (keys.some((key) => seen.has(key))) return false
      // at once: the same delivery may come twice while the first is being written down
      for (const key of keys) seen.add(key)
      const at = now()
      let isNew = true
      for (const key of keys) isNew = (await notes.add(topic, key, { at })) && isNew
      for (const oldest of seen) {
        if (seen.size <= most) break
        seen.delete(oldest)
        await notes.write(topic, oldest, undefined)
      }
      return isNew
    },
    async has(mark) {
      const key = keyOf(mark)
      return (await known()).has(key) || (await notes.get(topic, key)) !== undefined
    },
    async forget(marks) {
      const seen = await known()
      for (const key of marks.map(keyOf)) {
        seen.delete(key)
        await notes.write(topic, key, undefined)
      }
    },
  }
}

/** Senders choose their ids: one length for all. */
function keyOf(mark: string): string {
  return createHash('sha256').update(mark).digest('base64url')
}
