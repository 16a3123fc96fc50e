/** An OpenID Connect provider: sends a browser there, and reads who came back. Code flow with PKCE, state and nonce. */
import type { Configuration, IDToken } from 'openid-client'
import type { LoginDeclared } from '#model/login.ts'
import { Problem } from '#model/problem.ts'
import { isLoopback } from './origin-check.ts'

/** What has to be the same when the browser comes back. */
export type Sent = {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

type Person = {
  readonly subject: string
  readonly name: string
  readonly groups: readonly string[]
}

export type Provider = {
  /** Where to send the browser. */
  begin(): Promise<{ readonly url: URL; readonly sent: Sent }>
  /** `query`: what it came back with, from `?` on. */
  finish(query: string, sent: Sent): Promise<Person>
}

/** The library is loaded at the first login: a start costs nothing for it. */
const library = () => import('openid-client')

export function providerAt(
  declared: LoginDeclared,
  readSecret: () => Promise<string | undefined>,
): Provider {
  const { issuer, clientId, address, scopes, groupsClaim } = declared
  const callback = `${address}/login/callback`
  let known: Promise<Configuration> | undefined

  async function discover(): Promise<Configuration> {
    const client = await library()
    const secret = await readSecret()
    const at = new URL(issuer)
    const auth = secret === undefined ? client.None() : client.ClientSecretPost(secret)
    const isHere = at.protocol === 'http:' && isLoopback(at.hostname)
    const execute = isHere ? [client.allowInsecureRequests] : []
    return client.discovery(at, clientId, undefined, auth, { execute, timeout: 10 })
  }

  /** What failed is asked again by the next who comes. */
  async function configuration(): Promise<Configuration> {
    known ??= discover()
    try {
      return await known
    } catch (thrown) {
      known = undefined
      throw unreachable(issuer, thrown)
    }
  }

  /** Some providers put names and groups into the ID token, others tell them only when they are asked. */
  async function moreOf(
    config: Configuration,
    claims: IDToken,
    accessToken: string,
  ): Promise<Readonly<Record<string, unknown>>> {
    const isWhole = nameIn(claims) !== undefined && textsIn(claims[groupsClaim]) !== undefined
    if (isWhole || config.serverMetadata().userinfo_endpoint === undefined) return claims
    const { fetchUserInfo } = await library()
    return { ...(await fetchUserInfo(config, accessToken, claims.sub)), ...claims }
  }

  return {
    async begin() {
      const client = await library()
      const config = await configuration()
      const sent = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      }
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: callback,
        scope: scopes.join(' '),
        state: sent.state,
        nonce: sent.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(sent.verifier),
        code_challenge_method: 'S256',
      })
      return { url, sent }
    },
    async finish(query, { state, nonce, verifier }) {
      const client = await library()
      const config = await configuration()
      try {
        const tokens = await client.authorizationCodeGrant(config, new URL(callback + query), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (claims === undefined) throw new TypeError('the answer holds no ID token')
        const all = await moreOf(config, claims, tokens.access_token)
        const { sub: subject } = claims
        return { subject, name: nameIn(all) ?? subject, groups: textsIn(all[groupsClaim]) ?? [] }
      } catch (thrown) {
        throw refused(issuer, thrown)
      }
    },
  }
}

function nameIn(claims: Readonly<Record<string, unknown>>): string | undefined {
  const all = [claims['email'], claims['preferred_username'], claims['name']]
  return all.find((one): one is string => typeof one === 'string' && one !== '')?.slice(0, 200)
}

function textsIn(value: unknown): readonly string[] | undefined {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined
}

function unreachable(issuer: string, cause: unknown): Problem {
  return new Problem({
    type: 'runtime',
    code: 'unreachable',
    message: `the login provider ${issuer} can't be asked: ${wordsOf(cause)}`,
    suggestion: 'check issuer under login, and that it can be reached from here',
    recoverable: true,
    cause,
  })
}

function refused(issuer: string, cause: unknown): Problem {
  return new Problem({
    type: 'configuration',
    code: 'forbidden',
    message: `the login with ${issuer} did not succeed: ${wordsOf(cause)}`,
    suggestion: 'begin again at /login; if that does not help, check clientId and clientSecret',
    cause,
  })
}

/** The library's messages name the fault, and the error below says more of a connection. */
function wordsOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'it is not known why'
  const below = thrown.cause instanceof Error ? ` (${thrown.cause.message})` : ''
  const told = 'error_description' in thrown ? `: ${String(thrown.error_description)}` : ''
  return `${thrown.message}${told}${below}`
}
