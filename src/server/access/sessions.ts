/** Logins of people: a random text in a cookie, kept as a hash until the login ends. */
import { randomBytes } from 'node:crypto'
import type { Clock } from '#model/clock.ts'
import type { Json } from '#model/json.ts'
import type { Notes } from '#model/store.ts'
import * as z from 'zod/mini'
import type { Caller } from './caller.ts'
import { hashOfToken, roles } from './tokens.ts'

const topic = 'login'
/** More logins at once than this: the oldest end. */
const most = 10_000

const patterns = z.optional(z.readonly(z.array(z.string())))
const noteSchema = z.object({
  /** The person, as the provider names them for ever. */
  subject: z.string(),
  name: z.string(),
  role: z.enum(roles),
  /** Patterns of the applications that they may see, and change; absent: all. */
  apps: patterns,
  changes: patterns,
  expiresAt: z.number(),
  /** The hash of the token that it was begun with: it is worth what that token is worth now. */
  token: z.optional(z.string()),
})
export type Login = z.output<typeof noteSchema>

export type Sessions = {
  /** Whose login a cookie's text is, and the hash of its token; undefined: nobody's any more. */
  callerOf(
    text: string,
  ): Promise<{ readonly caller: Caller; readonly token: string | undefined } | undefined>
  /** Gives the text for the cookie. */
  begin(login: Login): Promise<string>
  end(text: string): Promise<void>
}

export function sessionsOf(notes: Notes, clock: Pick<Clock, 'now'>): Sessions {
  let kept: Map<string, Login> | undefined

  async function all(): Promise<Map<string, Login>> {
    if (kept !== undefined) return kept
    const read = new Map<string, Login>()
    for (const [key, note] of await notes.read(topic)) {
      const login = z.safeParse(noteSchema, note)
      if (login.success) read.set(key, login.data)
    }
    kept ??= read
    return kept
  }

  async function forget(key: string): Promise<void> {
    ;(await all()).delete(key)
    await notes.write(topic, key, undefined)
  }

  async function tidy(): Promise<void> {
    const logins = await all()
    const now = clock.now()
    const byEnd = [...logins].toSorted(([, a], [, b]) => a.expiresAt - b.expiresAt)
    const tooMany = Math.max(0, logins.size - most + 1)
    for (const [index, [key, { expiresAt }]] of byEnd.entries()) {
      if (index >= tooMany && expiresAt > now) break
      await forget(key)
    }
  }

  return {
    async callerOf(text) {
      const login = (await all()).get(hashOfToken(text))
      if (login === undefined || login.expiresAt <= clock.now()) return undefined
      const { subject: id, name, role, apps, changes, token } = login
      return { caller: { kind: 'user', id, name, role, apps, changes }, token }
    },
    async begin(login) {
      await tidy()
      const text = randomBytes(32).toString('base64url')
      const key = hashOfToken(text)
      ;(await all()).set(key, login)
      const note: Json = JSON.parse(JSON.stringify(login))
      await notes.write(topic, key, note)
      return text
    },
    end: (text) => forget(hashOfToken(text)),
  }
}
