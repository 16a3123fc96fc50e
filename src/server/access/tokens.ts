/** Tokens with roles. Only a hash is kept: 256 bits of chance need no slow one. */
import { hash, randomBytes } from 'node:crypto'
import type { Clock } from '#model/clock.ts'
import type { Json } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import type { Notes } from '#model/store.ts'
import * as z from 'zod/mini'
import type { Role } from '../route.ts'
import { notFound } from './refusals.ts'

const topic = 'token'
/** The id of the one that comes from a file. */
const fileId = 'file'
/** The id of the one that only the user can read who runs the service, made anew at each start. */
const localId = 'local'

/** That of the command line on one machine; replicas have one each. */
export function isLocal(id: string): boolean {
  return id === localId || id.startsWith(`${localId}@`)
}
const shortest = 32

export const roles = ['read', 'sync', 'admin'] as const satisfies readonly Role[]

/** What may be shown of a token. */
export const tokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(roles),
  createdAt: z.number(),
  /** Patterns of the applications that it is bound to; absent: all. */
  apps: z.optional(z.readonly(z.array(z.string()))),
  /** From then on it is worth nothing, ms; absent: never. */
  expiresAt: z.optional(z.number()),
})
export type Token = z.output<typeof tokenSchema>

const noteSchema = z.object({ ...tokenSchema.shape, hash: z.string() })
export type KeptToken = z.output<typeof noteSchema>

export type Wanted = {
  readonly name: string
  readonly role: Role
  readonly apps?: readonly string[] | undefined
  readonly expiresAt?: number | undefined
}

/** The only time that its text is seen. */
export async function createToken(
  notes: Notes,
  clock: Pick<Clock, 'now'>,
  { name, role, apps, expiresAt }: Wanted,
): Promise<{ readonly token: Token; readonly text: string }> {
  if (role === 'admin' && apps !== undefined) throw boundAdmin()
  const text = `tend_${randomBytes(32).toString('base64url')}`
  const limits = {
    ...(apps === undefined ? {} : { apps }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  }
  const id = randomBytes(6).toString('hex')
  const token = { id, name, role, createdAt: clock.now(), ...limits }
  await keep(notes, { ...token, hash: hashOfToken(text) })
  return { token, text }
}

/** For the audit log: what it is, never its text. */
export function describeToken({ id, name, role, apps, expiresAt }: Token): string {
  const bound = apps === undefined ? '' : `, for ${apps.join(', ')}`
  const until = expiresAt === undefined ? '' : `, until ${new Date(expiresAt).toISOString()}`
  return `token ${id} (${name}), role ${role}${bound}${until}`
}

function boundAdmin(): Problem {
  return new Problem({
    type: 'validation',
    code: 'bad_value',
    message: "a token of role admin can't be bound to applications: it could make itself another",
    suggestion: 'choose role read or sync',
  })
}

export async function revokeToken(notes: Notes, id: string): Promise<Token> {
  const found = (await keptTokens(notes)).find((token) => token.id === id)
  if (found === undefined) throw notFound(`no token ${id}`, '`tend token list` shows them all')
  await notes.write(topic, id, undefined)
  return shownOf(found)
}

/** Oldest first. */
export async function listTokens(notes: Notes): Promise<readonly Token[]> {
  const kept = (await keptTokens(notes)).filter(({ id }) => !isLocal(id))
  return kept.map(shownOf).toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
}

/** The text of TEND_TOKEN_FILE, for role admin; undefined when there is no such file any more. */
export async function setFileToken(
  notes: Notes,
  clock: Pick<Clock, 'now'>,
  text: string | undefined,
): Promise<void> {
  const before = (await keptTokens(notes)).find(({ id }) => id === fileId)
  if (text === undefined) {
    if (before !== undefined) await notes.write(topic, fileId, undefined)
    return
  }
  const hash = hashOfToken(checkedText(text))
  if (before?.hash === hash) return
  const createdAt = clock.now()
  await keep(notes, { id: fileId, name: 'TEND_TOKEN_FILE', role: 'admin', createdAt, hash })
}

/** For the command line of the same user and machine: it opens no door to anybody else, and so does not count as one. */
export async function setLocalToken(
  notes: Notes,
  clock: Pick<Clock, 'now'>,
  place = '',
): Promise<{ readonly text: string; forget(): Promise<void> }> {
  const localToken = place === '' ? localId : `${localId}@${hashOfToken(place).slice(0, 12)}`
  const text = `tend_${randomBytes(32).toString('base64url')}`
  const own = hashOfToken(text)
  const about = { name: 'this machine', role: 'admin', createdAt: clock.now() } as const
  await keep(notes, { id: localToken, ...about, hash: own })
  return {
    text,
    async forget() {
      const isOwn = (await keptTokens(notes)).some(
        ({ id, hash: kept }) => id === localToken && kept === own,
      )
      // a service that took over has one of its own
      if (isOwn) await notes.write(topic, localToken, undefined)
    },
  }
}

function checkedText(text: string): string {
  const token = text.trim()
  if (token.length >= shortest && /^[\x21-\x7e]+$/.test(token)) return token
  throw new Problem({
    type: 'configuration',
    code: 'declaration_error',
    message: `the token in TEND_TOKEN_FILE must have at least ${shortest} characters and no spaces`,
    suggestion: 'make one with `openssl rand -hex 32`',
  })
}

export async function keptTokens(notes: Notes): Promise<readonly KeptToken[]> {
  const kept: KeptToken[] = []
  for (const note of (await notes.read(topic)).values()) {
    const read = z.safeParse(noteSchema, note)
    if (read.success) kept.push(read.data)
  }
  return kept
}

export function hashOfToken(text: string): string {
  return hash('sha256', text)
}

function shownOf({ hash: _hash, ...shown }: KeptToken): Token {
  return shown
}

async function keep(notes: Notes, token: KeptToken): Promise<void> {
  const note: Json = JSON.parse(JSON.stringify(token))
  await notes.write(topic, token.id, note)
}
