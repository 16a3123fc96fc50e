/** Remembers, across restarts, which secrets were used with a timestamp: from then on it can't be left out. */
import { createHmac } from 'node:crypto'
import type { Notes } from '#model/store.ts'

export type Stamped = {
  has(secret: string): Promise<boolean>
  /** A right signature with a timestamp came. */
  add(secret: string): Promise<void>
}

const topic = 'hook-stamped'

export function stampedOf(notes: Notes): Stamped {
  let seen: Set<string> | undefined
  async function known(): Promise<Set<string>> {
    seen ??= new Set((await notes.read(topic)).keys())
    return seen
  }
  return {
    has: async (secret) => (await known()).has(keyOf(secret)),
    async add(secret) {
      const all = await known()
      const key = keyOf(secret)
      if (all.has(key)) return
      all.add(key)
      await notes.write(topic, key, true)
    },
  }
}

/** Tells one secret from another, and nothing of either. */
function keyOf(secret: string): string {
  return createHmac('sha256', secret).update('sends timestamps').digest('base64url')
}
