/** A real OpenID Connect provider (oidc-provider) on loopback, and a browser's part of a login. */
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'

export type TestProvider = {
  readonly issuer: string
  stop(): Promise<void>
}

export type Account = { readonly name: string; readonly groups: readonly string[] }

/** Everybody's password is right: whoever is asked for logs in. */
export async function startProvider(
  accounts: Readonly<Record<string, Account>>,
  client: { readonly id: string; readonly secret: string; readonly callback: string },
): Promise<TestProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bound = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${bound.port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [client.callback],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub'], email: ['email'], groups: ['groups'] },
    scopes: ['openid', 'email', 'groups'],
    cookies: { keys: ['only for tests'] },
    pkce: { required: () => true },
    async findAccount(_context: unknown, id: string) {
      const account = accounts[id]
      if (account === undefined) return undefined
      return {
        accountId: id,
        claims: () => ({ sub: id, email: account.name, groups: [...account.groups] }),
      }
    },
  })
  const answer = provider.callback()
  server.on('request', (request, response) => void answer(request, response))
  return {
    issuer,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Follows redirects and fills the provider's own forms until the address begins with `until`; gives that address. */
export async function logInAs(account: string, from: string, until: string): Promise<string> {
  const cookies = new Map<string, string>()
  let url = from
  let form: URLSearchParams | undefined
  for (let step = 0; step < 20; step += 1) {
    if (url.startsWith(until)) return url
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer: Response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form === undefined ? {} : { method: 'POST', body: form }),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const equals = pair.indexOf('=')
      cookies.set(pair.slice(0, equals), pair.slice(equals + 1))
    }
    form = undefined
    const next = answer.headers.get('location')
    if (next !== null) {
      url = new URL(next, url).href
      continue
    }
    const page = await answer.text()
    const action = /action="([^"]+)"/.exec(page)?.[1]
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
    if (action === undefined || prompt === undefined) throw new Error(`no form at ${url}: ${page}`)
    url = new URL(action.replaceAll('&amp;', '&'), url).href
    form = new URLSearchParams({ prompt, login: account, password: 'any' })
  }
  throw new Error('the login leads nowhere')
}
