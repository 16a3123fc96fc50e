/** Keeps web pages of others out: names that were bent to this address (rebinding), and requests across sites. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { forbidden } from './refusals.ts'

export type OriginRules = {
  /** Hosts, without port, that this service answers to; undefined: any. */
  readonly hosts: ReadonlySet<string> | undefined
}

const loopback = ['localhost', '127.0.0.1', '::1']

export function isLoopback(host: string): boolean {
  return loopback.includes(host) || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/** Without a token, only names that mean this machine are answered to: else a page could read what any user of it can. */
export function hostsFor(listenHost: string): ReadonlySet<string> {
  return new Set([...loopback, listenHost.toLowerCase()])
}

export function checkOrigin({ headers }: IncomingMessage, rules: OriginRules): void {
  const host = headers.host ?? ''
  if (rules.hosts !== undefined && !rules.hosts.has(nameIn(host))) {
    throw forbidden(
      'this service does not answer to the name in the Host header',
      'ask for localhost, or make a token with `tend token create`',
    )
  }
  if (!isOwnSite(headers, host)) {
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
