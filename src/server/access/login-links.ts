/** Links that log a browser in once: made for whoever holds a token, good for one use within two minutes, at any replica. */
import { randomBytes } from 'node:crypto'
import type { Clock } from '#model/clock.ts'
import { isRecord, type Json } from '#model/json.ts'
import type { Notes } from '#model/store.ts'
import { hashOfToken, type KeptToken } from './tokens.ts'

type LoginLinks = {
  make(token: KeptToken): Promise<{ readonly code: string; readonly expiresAt: number }>
  /** The hash of the token that it was made for; undefined: it is not known, was used, or is too old. */
  take(code: string): Promise<string | undefined>
}

/** Of codes there are hashes only. The second topic says which were used: whoever adds a code to it first has used it. */
const [topic, used] = ['login-link', 'login-link-used'] as const
const lasts = 120_000
/** Nobody needs more at once: those that end first go. */
const most = 100

export function loginLinks(notes: Notes, clock: Pick<Clock, 'now'>): LoginLinks {
  async function tidy(): Promise<void> {
    const now = clock.now()
    for (const [key, note] of await notes.read(used)) {
      if (endOf(note) <= now) await notes.write(used, key, undefined)
    }
    const byEnd = [...(await notes.read(topic))].toSorted(([, a], [, b]) => endOf(a) - endOf(b))
    for (const [index, [key, note]] of byEnd.entries()) {
      const isOver = endOf(note) <= now || index < byEnd.length - most + 1
      if (isOver) await notes.write(topic, key, undefined)
    }
  }

  return {
    async make({ hash }) {
      await tidy()
      const code = randomBytes(24).toString('base64url')
      const expiresAt = clock.now() + lasts
      await notes.write(topic, hashOfToken(code), { token: hash, expiresAt })
      return { code, expiresAt }
    },
    async take(code) {
      const key = hashOfToken(code)
      const found = await notes.get(topic, key)
      if (!isRecord<Json>(found) || endOf(found) <= clock.now()) return undefined
      if (!(await notes.add(used, key, { expiresAt: endOf(found) }))) return undefined
      await notes.write(topic, key, undefined)
      return typeof found['token'] === 'string' ? found['token'] : undefined
    },
  }
}

function endOf(note: Json): number {
  const end = isRecord<Json>(note) ? note['expiresAt'] : undefined
  return typeof end === 'number' ? end : 0
}
