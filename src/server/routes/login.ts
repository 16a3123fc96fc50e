/** People come in through their own provider, and leave. */
import type { LoginDeclared } from '#model/login.ts'
import * as z from 'zod/mini'
import { cookie, cookieIn } from '../access/cookies.ts'
import { providerAt, type Provider, type Sent } from '../access/provider.ts'
import { forbidden, notFound } from '../access/refusals.ts'
import { rightsOf } from '../access/rights.ts'
import { sealer } from '../access/sealed.ts'
import { sessionCookie } from '../access/session-cookie.ts'
import { redirect } from '../reply.ts'
import { route, type Route } from '../route.ts'
import type { RouteContext } from './route-context.ts'

/** What the browser carries between leaving and coming back. */
const tripSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  to: z.string(),
  until: z.number(),
})
const tripCookie = 'tend_login'
/** How long somebody may take to type a password, ms. */
const tripTime = 10 * 60_000

export function loginRoutes(context: RouteContext): readonly Route[] {
  const { clock, sessions, login, readSecret } = context
  const carried = sealer(context.key)
  let known: { readonly declared: LoginDeclared; readonly provider: Provider } | undefined

  function current(): NonNullable<typeof known> {
    const declared = login()
    if (declared === undefined) {
      throw notFound(
        'nobody logs in here',
        'use a token, or declare a provider: login in tend.yaml',
      )
    }
    if (known?.declared !== declared) {
      const { clientSecret } = declared
      const secret = async () => clientSecret && (await readSecret(clientSecret))
      known = { declared, provider: providerAt(declared, secret) }
    }
    return known
  }

  function sealed(sent: Sent, to: string): string {
    return carried.seal(JSON.stringify({ ...sent, to, until: clock.now() + tripTime }))
  }

  function tripOf(header: string | undefined): z.output<typeof tripSchema> {
    const opened = carried.open(cookieIn(header, tripCookie) ?? '')
    const found = z.safeParse(tripSchema, opened === undefined ? undefined : JSON.parse(opened))
    if (found.success && found.data.until > clock.now()) return found.data
    throw forbidden('this login was not begun in this browser, or took too long', 'begin at /login')
  }

  return [
    route({
      method: 'GET',
      path: '/login',
      access: 'open',
      name: 'login',
      summary: 'Sends a browser to the provider that knows its user',
      query: z.object({ to: z.optional(z.string()) }),
      answers: { 302: { says: 'To the provider', body: { type: 'text/plain' } } },
      async handle({ query }) {
        const { declared, provider } = current()
        const { url, sent } = await provider.begin()
        const trip = sealed(sent, ownPath(query.to))
        return redirect(url.href, [cookieFor(declared, tripCookie, trip, tripTime)])
      },
    }),
    route({
      method: 'GET',
      path: '/login/callback',
      access: 'open',
      name: 'loggedIn',
      summary: 'Where the provider sends the browser back',
      answers: { 302: { says: 'To where it wanted to go', body: { type: 'text/plain' } } },
      async handle(_, { request, note }) {
        note.isKept = true
        const { declared, provider } = current()
        const began = tripOf(request.headers.cookie)
        const asked = request.url ?? ''
        const query = asked.slice(Math.max(0, asked.indexOf('?')))
        const { subject, name, groups } = await provider.finish(query, began)
        const rights = rightsOf(groups, declared.roles)
        note.detail = `${name} (${subject})`
        if (rights === undefined) {
          throw forbidden(
            `${name} is in no group that may use this service`,
            'ask its operator to list one of your groups under login.roles',
          )
        }
        const expiresAt = clock.now() + declared.duration
        const session = await sessions.begin({ subject, name, ...rights, expiresAt })
        note.caller = { kind: 'user', id: subject, name, ...rights }
        note.detail = `logged in with role ${rights.role}`
        return redirect(began.to, [
          sessionCookie(session, declared.duration, isSecure(declared)),
          cookieFor(declared, tripCookie, '', 0),
        ])
      },
    }),
  ]
}

function cookieFor(
  declared: LoginDeclared,
  name: string,
  value: string,
  milliseconds: number,
): string {
  return cookie(name, value, Math.floor(milliseconds / 1000), isSecure(declared))
}

function isSecure({ address }: LoginDeclared): boolean {
  return address.startsWith('https:')
}

/** A path of this service and no other: `//host` and `/\host` lead away. */
function ownPath(to = '/'): string {
  return /^\/(?![/\\])[\x21-\x7e]*$/.test(to) ? to : '/'
}
