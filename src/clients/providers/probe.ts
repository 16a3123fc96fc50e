/** Asks a cluster itself whether it is up: by /readyz, checked against the cluster's own authority. */
import { connect, ConnectionError } from '#clients/http/connection.ts'
import { contactIn } from './kubeconfig.ts'

export type Readiness =
  | { readonly kind: 'ready' }
  /** It answers and is not ready yet. */
  | { readonly kind: 'starting'; readonly why: string }
  /** Nobody listens there. */
  | { readonly kind: 'down'; readonly why: string }
  /** Another server than this cluster answers. */
  | { readonly kind: 'other'; readonly why: string }
  | { readonly kind: 'unknown'; readonly why: string }

const patience = 5_000

export async function probe(
  kubeconfig: string,
  name: string,
  signal: AbortSignal,
): Promise<Readiness> {
  const { server, ca, cert, key, token } = contactIn(kubeconfig, name)
  const isTls = server.protocol === 'https:'
  const pair = cert === undefined || key === undefined ? {} : { cert, key }
  const tls = { ...(ca === undefined ? {} : { ca }), ...pair, isVerified: true }
  const port = Number(server.port === '' ? (isTls ? 443 : 80) : server.port)
  const host = server.hostname.replace(/^\[|\]$/g, '')
  const connection = connect({ host, port, ...(isTls ? { tls } : {}) }, 1)
  try {
    const path = `${server.pathname.replace(/\/+$/, '')}/readyz`
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const call = { method: 'GET', path, headers, signal, silence: patience } as const
    const answer = await connection.send(call)
    for await (const _ of answer.body);
    return readinessOf(answer.status, server)
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ConnectionError)) throw error
    return failed(error, server)
  } finally {
    connection.close()
  }
}

function readinessOf(status: number, { origin }: URL): Readiness {
  if (status === 200) return { kind: 'ready' }
  const why = `${origin} answers /readyz with ${status}`
  if (status >= 500) return { kind: 'starting', why }
  return status === 404 ? { kind: 'other', why } : { kind: 'unknown', why }
}

const refusals = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND'])
const breaks = new Set(['ECONNRESET', 'EPIPE'])

function failed({ code, message }: ConnectionError, { origin }: URL): Readiness {
  if (refusals.has(code)) return { kind: 'down', why: `nobody listens on ${origin}` }
  if (breaks.has(code)) return { kind: 'starting', why: `${origin} breaks connections off` }
  if (/CERT|SIGN|TLS|SSL|ISSUER/.test(code)) {
    return { kind: 'other', why: `${origin} is not this cluster: ${message}` }
  }
  return { kind: 'unknown', why: `${origin}: ${message}` }
}
