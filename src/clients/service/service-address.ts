/** Reads the address of a service. */
import type { ServerAddress } from '#clients/http/connection.ts'
import { Problem } from '#model/problem.ts'

/** `http://host:port`, `https://host/below`; without a scheme, http. */
export function placeOf(text: string): { readonly place: ServerAddress; readonly base: string } {
  const url = parsed(text)
  if (url === undefined) throw notAnAddress()
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isSafe = url.protocol === 'https:'
  const port = url.port === '' ? (isSafe ? 443 : 80) : Number(url.port)
  return {
    place: { host, port, ...(isSafe ? { tls: { isVerified: true } } : {}) },
    base: url.pathname.replace(/\/+$/, ''),
  }
}

export function isThisMachine(text: string): boolean {
  const host = parsed(text)?.hostname ?? ''
  return host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host)
}

function parsed(text: string): URL | undefined {
  const whole = text.includes('://') ? text : `http://${text}`
  const url = URL.parse(whole)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return undefined
  if (url.username !== '' || url.password !== '' || url.hostname === '') return undefined
  return url
}

/** The address is not repeated in the message: it may hold a password by mistake. */
function notAnAddress(): Problem {
  return new Problem({
    type: 'configuration',
    code: 'usage',
    message: 'the address of the service is not one that can be asked',
    suggestion: 'write it like http://127.0.0.1:8080 (--server, TEND_SERVER)',
  })
}
