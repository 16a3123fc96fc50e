/** The cookie that holds a login: no script reads it, no other site sends it, and over TLS no other host can have set it. */
import type { IncomingHttpHeaders } from 'node:http'
import { cookie, cookieIn } from './cookies.ts'

const plainName = 'tend_session'
/** Browsers take a cookie of such a name only over TLS, for this host alone. */
const secureName = `__Host-${plainName}`

export function sessionIn(header: string | undefined): string | undefined {
  return cookieIn(header, secureName) ?? cookieIn(header, plainName)
}

export function sessionCookie(text: string, milliseconds: number, isSecure: boolean): string {
  const name = isSecure ? secureName : plainName
  return cookie(name, text, Math.floor(milliseconds / 1000), isSecure, 'Strict')
}

export function noSessionCookies(): readonly string[] {
  return [cookie(plainName, '', 0, false, 'Strict'), cookie(secureName, '', 0, true, 'Strict')]
}

/** Where TLS ends at a proxy only the browser knows: it names the origin of its page, or the proxy says it. */
export function isOverTls(headers: IncomingHttpHeaders): boolean {
  const { origin, 'x-forwarded-proto': forwarded } = headers
  if (origin !== undefined && origin !== 'null') return origin.startsWith('https://')
  return typeof forwarded === 'string' && forwarded.split(',')[0]?.trim() === 'https'
}
