/** Who may come in: looks tokens up by their hash, from a copy of the notes that is never old. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from '#model/clock.ts'
import type { Problem } from '#model/problem.ts'
import type { Notes } from '#model/store.ts'
import type { Role } from '../route.ts'
import { anybody, anybodyAsAdmin, type Caller } from './caller.ts'
import { unauthorized } from './refusals.ts'
import { sessionIn } from './session-cookie.ts'
import type { Sessions } from './sessions.ts'
import { describeToken, hashOfToken, isLocal, keptTokens, type KeptToken } from './tokens.ts'

/** Another process (`tend token`) writes the same notes: a revoked token is worth nothing after this time, ms. */
const freshFor = 2000
/** A token that is not known may be new: the notes are read again for it, but no sooner than this after the last time, ms. */
const freshForUnknown = 100

/** `refusal` is for whoever asked; `detail` and `caller`, for the audit log alone, may say more. */
type Unproven = {
  readonly refusal: Problem
  readonly detail: string
  readonly caller: Caller
  /** Nothing was shown that could have been right: that is no guess. */
  readonly isEmpty: boolean
}

export type Keeper = {
  /** Who sends these headers, or why it proves nothing. */
  callerOf(headers: IncomingHttpHeaders): Promise<Caller | Unproven>
  /** The token of this text, as long as it is worth something. */
  tokenWith(text: string): Promise<KeptToken | undefined>
  /** The same by its hash. */
  tokenOf(hash: string): Promise<KeptToken | undefined>
  /** Forget the copy: tokens changed here. */
  forget(): void
  /** Somebody else than the command line of this user has one. */
  hasTokens(): Promise<boolean>
}

/** `isOpen`: the operator said that others are kept out in another way. Otherwise nobody comes in without a token, on loopback too. */
export function keeperOf(
  notes: Notes,
  clock: Pick<Clock, 'now'>,
  isOpen: boolean,
  sessions?: Sessions,
): Keeper {
  let byHash: ReadonlyMap<string, KeptToken> = new Map()
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined
  let changes = 0

  async function read(): Promise<void> {
    const at = clock.now()
    const began = changes
    const tokens = await keptTokens(notes)
    byHash = new Map(tokens.map((token) => [token.hash, token]))
    // what changed meanwhile may be missing in it: then the next who comes reads again
    if (changes === began) readAt = at
  }

  function isExpired({ expiresAt }: KeptToken): boolean {
    return expiresAt !== undefined && expiresAt <= clock.now()
  }

  function isFresh(time: number): boolean {
    return Math.abs(clock.now() - readAt) < time
  }

  async function refreshed(time = freshFor): Promise<void> {
    if (isFresh(time)) return
    reading ??= read().finally(() => (reading = undefined))
    await reading
  }

  async function tokenOf(hash: string): Promise<KeptToken | undefined> {
    if (!byHash.has(hash)) await refreshed(freshForUnknown)
    return byHash.get(hash)
  }

  /** A login that was begun with a token ends with it, and may do what it may now. */
  async function loggedIn(login: string): Promise<Caller | undefined> {
    const found = await sessions?.callerOf(login)
    if (found?.token === undefined) return found?.caller
    const token = byHash.get(found.token)
    if (token === undefined || isExpired(token)) return undefined
    const { role, apps } = token
    return { ...found.caller, role, apps }
  }

  async function validTokenOf(hash: string): Promise<KeptToken | undefined> {
    await refreshed()
    const token = await tokenOf(hash)
    return token === undefined || isExpired(token) ? undefined : token
  }

  return {
    tokenWith: (text) => validTokenOf(hashOfToken(text)),
    tokenOf: validTokenOf,
    async callerOf({ authorization, cookie }) {
      await refreshed()
      const given = /^Bearer +([\x21-\x7e]+)$/i.exec(authorization ?? '')?.[1]
      const token = given === undefined ? undefined : await tokenOf(hashOfToken(given))
      if (token !== undefined && !isExpired(token)) return callerWith(token)
      const login = authorization === undefined ? sessionIn(cookie) : undefined
      const person = login === undefined ? undefined : await loggedIn(login)
      if (person !== undefined) return person
      if (isOpen) return anybodyAsAdmin
      if (token !== undefined) {
        const refusal = unauthorized('this token is not known')
        return {
          refusal,
          detail: `${describeToken(token)}, is past its end`,
          caller: callerWith(token),
          isEmpty: false,
        }
      }
      if (login !== undefined) return unproven('this login has ended')
      if (authorization === undefined) return { ...unproven('a token is needed'), isEmpty: true }
      if (given === undefined) return unproven('the Authorization header is not "Bearer TOKEN"')
      return unproven('this token is not known')
    },
    forget() {
      changes += 1
      readAt = Number.NEGATIVE_INFINITY
    },
    async hasTokens() {
      await refreshed()
      return [...byHash.values()].some(isGiven)
    },
  }
}

function unproven(why: string): Unproven {
  return { refusal: unauthorized(why), detail: why, caller: anybody, isEmpty: false }
}

function callerWith({ id, name, role, apps }: KeptToken): Caller {
  return { kind: isLocal(id) ? 'local' : 'token', id, name, role, apps }
}

/** Somebody else may have it. */
function isGiven({ id }: KeptToken): boolean {
  return !isLocal(id)
}

const rank = { read: 0, sync: 1, admin: 2 } as const satisfies Record<Role, number>

export function covers(role: Role, needed: Role): boolean {
  return rank[role] >= rank[needed]
}
