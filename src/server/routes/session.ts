/** A browser's login with a token, who it is then, and its end. The way through a provider is in login.ts. */
import * as z from 'zod/mini'
import type { Caller } from '../access/caller.ts'
import type { Guard } from '../access/guard.ts'
import { loginLinks } from '../access/login-links.ts'
import { tooMany, unauthorized } from '../access/refusals.ts'
import { isOverTls, noSessionCookies, sessionCookie, sessionIn } from '../access/session-cookie.ts'
import { roles, type KeptToken } from '../access/tokens.ts'
import { json, text, type Reply } from '../reply.ts'
import { route, type RouteRequest, type Route } from '../route.ts'
import type { RouteContext } from './route-context.ts'

/** How long a login with a token lasts, ms; it ends with the token if that ends sooner. */
const longest = 7 * 86_400_000

const me = z.object({
  /** `token`, `local`, `user` (logged in), `anybody` (the API is open). */
  kind: z.string(),
  name: z.string(),
  role: z.enum(roles),
  apps: z.optional(z.readonly(z.array(z.string()))),
  /** Where to log in; absent: only tokens open this service. */
  login: z.optional(z.string()),
  instance: z.string(),
  projectName: z.string(),
})

const secret = z.string().check(z.minLength(1), z.maxLength(4_000))
const link = z.object({ code: z.string(), expiresAt: z.number() })

const ways = z.object({
  /** Where people log in through their own provider; absent: only with a token. */
  provider: z.optional(z.string()),
})

export function sessionRoutes(context: RouteContext, guard: Guard): readonly Route[] {
  const { clock, sessions, keeper, login, service } = context
  const path = '/api/v1/session'
  const links = loginLinks(context.notes, clock)

  function describe({ kind, name, role = 'read', apps }: Caller): z.output<typeof me> {
    const where = login() === undefined ? {} : { login: '/login' }
    const { instance, projectName } = service
    const bound = apps === undefined ? {} : { apps }
    return { kind, name, role, ...bound, ...where, instance, projectName }
  }

  /** Of who asks with a token: a login can't make another one. */
  async function ownToken({ request }: RouteRequest): Promise<KeptToken> {
    const given = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    const token = given === undefined ? undefined : await keeper.tokenWith(given)
    if (token !== undefined) return token
    throw unauthorized('a link that logs in is made with a token')
  }

  /** Used once, whatever comes of it. */
  async function tokenBehind(code: string, { request, note }: RouteRequest): Promise<KeptToken> {
    const hash = await links.take(code)
    const token = hash === undefined ? undefined : await keeper.tokenOf(hash)
    if (token !== undefined) {
      guard.proven(request)
      return token
    }
    note.detail = 'a login with a link that is not known, was used or is too old'
    const wait = guard.failed(request)
    throw wait > 0 ? tooMany(wait) : unauthorized('this link was used already, or is too old')
  }

  /** Wrong ones are counted as those in headers are. */
  async function tokenFor(given: string, { request, note }: RouteRequest): Promise<KeptToken> {
    const token = await keeper.tokenWith(given)
    if (token !== undefined) {
      guard.proven(request)
      return token
    }
    note.detail = 'a login with a token that is not known'
    const wait = guard.failed(request)
    throw wait > 0 ? tooMany(wait) : unauthorized('this token is not known')
  }

  async function end({ request }: RouteRequest): Promise<readonly string[]> {
    const session = sessionIn(request.headers.cookie)
    if (session !== undefined) await sessions.end(session)
    return noSessionCookies().flatMap((one) => ['Set-Cookie', one])
  }

  return [
    route({
      method: 'GET',
      path,
      access: 'open',
      name: 'waysToLogIn',
      summary: 'How one logs in here',
      answers: { 200: { says: 'The ways', body: ways } },
      handle: () => json(ways, login() === undefined ? {} : { provider: '/login' }),
    }),
    route({
      method: 'POST',
      path,
      access: 'open',
      name: 'beginSession',
      summary:
        'Logs a browser in with a token, or with the code of a link: sets a cookie that no script can read',
      body: z.union([z.strictObject({ token: secret }), z.strictObject({ code: secret })]),
      answers: { 200: { says: 'Who it is', body: me } },
      async handle({ body }, asked) {
        const { request, note } = asked
        guard.greet(request)
        const { id, name, role, apps, expiresAt, hash } =
          'code' in body ? await tokenBehind(body.code, asked) : await tokenFor(body.token, asked)
        const now = clock.now()
        const duration = Math.min(longest, (expiresAt ?? Infinity) - now)
        const rights = { role, ...(apps === undefined ? {} : { apps }) }
        const session = await sessions.begin({
          subject: id,
          name,
          ...rights,
          expiresAt: now + duration,
          token: hash,
        })
        const caller: Caller = { kind: 'user', id, name, ...rights }
        note.caller = caller
        note.detail = `logged in with token ${id} (${name}), role ${role}`
        const made = sessionCookie(session, duration, isOverTls(request.headers))
        return withHeaders(json(me, describe(caller)), ['Set-Cookie', made])
      },
    }),
    route({
      method: 'POST',
      path: `${path}/link`,
      access: 'read',
      name: 'makeLoginLink',
      summary: 'A code that logs one browser in as whoever asks, once and within two minutes',
      answers: { 200: { says: 'The code', body: link } },
      handle: async (_, asked) => json(link, await links.make(await ownToken(asked))),
    }),
    route({
      method: 'DELETE',
      path,
      access: 'open',
      name: 'endSession',
      summary: 'Ends the login of this browser',
      answers: { 200: { says: 'How one logs in again', body: ways } },
      async handle(_, asked) {
        guard.greet(asked.request)
        const gone = await end(asked)
        return withHeaders(json(ways, login() === undefined ? {} : { provider: '/login' }), gone)
      },
    }),
    route({
      method: 'POST',
      path: '/logout',
      access: 'read',
      name: 'logout',
      summary: 'Ends the login of this browser',
      answers: { 200: { says: 'ok', body: { type: 'text/plain' } } },
      async handle(_, asked): Promise<Reply> {
        return withHeaders(text('logged out\n'), await end(asked))
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/me',
      access: 'read',
      name: 'me',
      summary: 'Who asks, and what they may do',
      answers: { 200: { says: 'The caller', body: me } },
      handle: (_, { caller }) => json(me, describe(caller)),
    }),
  ]
}

function withHeaders(reply: Reply, headers: readonly string[]): Reply {
  return reply.kind === 'bytes' ? { ...reply, headers } : reply
}
