/** Remembers, across restarts and for all replicas, which secrets were used with a timestamp: from then on it can't be left out. */
import { createHmac } from 'node:crypto'
import type { Notes } from '#model/store.ts'

export type Stamped = {
  has(secret: string): Promise<boolean>
  /** A right signature with a timestamp came. */
  add(secret: string): Promise<void>
}

const topic = 'hook-stamped'

export function stampedOf(notes: Notes): Stamped {
  const seen = new Set<string>()
  return {
    async has(secret) {
      const key = keyOf(secret)
      if (!seen.has(key) && (await notes.get(topic, key)) === undefined) return false
      seen.add(key)
      return true
    },
    async add(secret) {
      const key = keyOf(secret)
      if (seen.has(key)) return
      await notes.write(topic, key, true)
      seen.add(key)
    },
  }
}

/** Tells one secret from another, and nothing of either. */
function keyOf(secret: string): string {
  return createHmac('sha256', secret).update('sends timestamps').digest('base64url')
}
