/** Keeps web pages of others out: names that were bent to this address (rebinding), and requests across sites. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { forbidden } from './refusals.ts'

export type OriginRules = {
  /** Whether this service answers to a name, without port, in lower case. */
  answersTo(name: string): boolean
}

const loopback = ['localhost', '127.0.0.1', '::1']

export function isLoopback(host: string): boolean {
  return loopback.includes(host) || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/** Whoever needs a token is no page that borrows a visitor's place in the network: then any name will do. */
export const anyName: OriginRules = { answersTo: () => true }

/**
 * Where the API is open: only names that nobody else can bend to this address. An address is no name, and one without a dot can't be
 * registered; behind a proxy the operator lists the names. On loopback, names of the local network are others' too.
 */
export function ownNames(listenHost: string, listed: readonly string[]): OriginRules {
  const names = new Set([...loopback, listenHost, ...listed].map((name) => name.toLowerCase()))
  if (isLoopback(listenHost)) return { answersTo: (name) => names.has(name) || isLoopback(name) }
  names.add(hostname().toLowerCase())
  return { answersTo: (name) => names.has(name) || isIP(name) !== 0 || !name.includes('.') }
}

/** `isOpened`: somebody opens a page, from wherever. */
export function checkOrigin(
  { headers }: IncomingMessage,
  rules: OriginRules,
  isOpened = false,
): void {
  const host = headers.host ?? ''
  if (!rules.answersTo(nameIn(host))) {
    throw forbidden(
      'this service does not answer to the name in the Host header',
      "ask by its address, or list the name: listen: {open: true, hosts: [NAME]} (with docker-cd's variables TEND_HOSTS=NAME)",
    )
  }
  if (!isOpened && !isOwnSite(headers, host)) {
    throw forbidden('pages of other sites may not use this service', 'open it at its own address')
  }
}

/** Browsers say it themselves where they can; that holds behind a proxy that changes Host, too. */
function isOwnSite(headers: IncomingHttpHeaders, host: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin } = headers
  return origin === undefined || hostOfOrigin(origin) === host.toLowerCase()
}

function nameIn(host: string): string {
  const name = host.toLowerCase().replace(/:\d*$/, '')
  return name.startsWith('[') ? name.slice(1, -1) : name
}

function hostOfOrigin(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}
