/** Logins of people: a random text in a cookie, kept as a hash until the login ends, which it does at all replicas. */
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

/** Another replica may have ended it: it is looked at again after so long, ms. */
const freshFor = 2_000
/** One that is not known may have been begun at another replica: so many of them are looked for in a second. */
const mostUnknown = 50

type Known = { readonly login: Login; readonly at: number }

export function sessionsOf(notes: Notes, clock: Pick<Clock, 'now'>): Sessions {
  const known = new Map<string, Known>()
  let changes = 0
  let unknown = { at: Number.NEGATIVE_INFINITY, count: 0 }

  function isFresh(at: number, time: number): boolean {
    return Math.abs(clock.now() - at) < time
  }

  function keep(key: string, note: Json | undefined): void {
    const login = z.safeParse(noteSchema, note)
    if (login.success) known.set(key, { login: login.data, at: clock.now() })
    else known.delete(key)
  }

  /** Whoever sends made-up cookies by the thousand does not keep the database busy. */
  function mayLook(): boolean {
    if (!isFresh(unknown.at, 1_000)) unknown = { at: clock.now(), count: 0 }
    unknown.count += 1
    return unknown.count <= mostUnknown
  }

  async function find(key: string): Promise<Login | undefined> {
    const found = known.get(key)
    const isDue = found === undefined ? mayLook() : !isFresh(found.at, freshFor)
    if (isDue) await read(key)
    return known.get(key)?.login
  }

  /** What began or ended here meanwhile may be wrong in it: then it is read again. */
  async function read(key: string): Promise<void> {
    for (;;) {
      const began = changes
      const note = await notes.get(topic, key)
      if (changes === began) return keep(key, note)
    }
  }

  async function forget(key: string): Promise<void> {
    known.delete(key)
    await notes.write(topic, key, undefined)
    changes += 1
    known.delete(key)
  }

  async function tidy(): Promise<void> {
    const all = await notes.read(topic)
    for (const key of known.keys()) if (!all.has(key)) known.delete(key)
    for (const [key, note] of all) keep(key, note)
    const now = clock.now()
    const byEnd = [...known].toSorted(([, a], [, b]) => a.login.expiresAt - b.login.expiresAt)
    const tooMany = Math.max(0, known.size - most + 1)
    for (const [index, [key, { login }]] of byEnd.entries()) {
      if (index >= tooMany && login.expiresAt > now) break
      await forget(key)
    }
  }

  return {
    async callerOf(text) {
      const login = await find(hashOfToken(text))
      if (login === undefined || login.expiresAt <= clock.now()) return undefined
      const { subject: id, name, role, apps, changes, token } = login
      return { caller: { kind: 'user', id, name, role, apps, changes }, token }
    },
    async begin(login) {
      await tidy()
      const text = randomBytes(32).toString('base64url')
      const key = hashOfToken(text)
      const note: Json = JSON.parse(JSON.stringify(login))
      await notes.write(topic, key, note)
      changes += 1
      keep(key, note)
      return text
    },
    end: (text) => forget(hashOfToken(text)),
  }
}
