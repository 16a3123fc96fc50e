/** One request to somebody else's server. No word of its address is ever part of a problem: it may be the secret itself. */
import { connect, ConnectionError } from '#clients/http/connection.ts'
import { Problem } from '#model/problem.ts'

export type Delivery = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const silence = 10_000

/** POSTs it. Redirects are not followed: they could lead a secret elsewhere. */
export async function deliver(delivery: Delivery, signal: AbortSignal): Promise<void> {
  const url = URL.parse(delivery.url)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw refused('its address is none', 'check url')
  const isTls = url.protocol === 'https:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = url.port === '' ? (isTls ? 443 : 80) : Number(url.port)
  const connection = connect({ host, port, ...(isTls ? { tls: { isVerified: true } } : {}) }, 1)
  try {
    const answer = await connection.send({
      method: 'POST',
      path: `${url.pathname}${url.search}`,
      headers: { 'User-Agent': 'tend', ...credentials(url), ...delivery.headers },
      body: delivery.body,
      signal,
      silence,
    })
    checkStatus(answer.status)
  } catch (error) {
    throw error instanceof ConnectionError ? unreachable(error) : error
  } finally {
    connection.close()
  }
}

function credentials({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '') return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

function checkStatus(status: number): void {
  if (status >= 200 && status < 300) return
  if (status >= 500 || status === 429 || status === 408) {
    throw problem(`it answered ${status}`, true)
  }
  if (status >= 300 && status < 400)
    throw refused(`it answered ${status}: it moved`, 'give its new address')
  throw refused(`it answered ${status}`, 'check its address and its secret')
}

function unreachable({ code }: ConnectionError): Problem {
  return problem(`it can't be reached (${code})`, true)
}

export function refused(message: string, suggestion: string): Problem {
  return new Problem({ type: 'runtime', code: 'api_error', message, suggestion })
}

export function problem(message: string, recoverable: boolean): Problem {
  return new Problem({ type: 'runtime', code: 'unreachable', message, recoverable })
}
