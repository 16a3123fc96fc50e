/** URLs in parts, with the errors of Go's net/url. */
import { parseIp } from './ip.ts'
import { GoError } from '../errors.ts'
import { quote } from '../quote.ts'

type UrlParts = {
  readonly scheme: string
  readonly host: string
  readonly hostname: string
  readonly path: string
  readonly query: string
  readonly opaque: string
  readonly fragment: string
  readonly userinfo: string
}

type Mode = 'path' | 'host' | 'zone' | 'user' | 'fragment'

/** What stands for itself besides letters, digits and -_.~ */
const safe: Readonly<Record<Mode, string>> = {
  path: '$&+,/:;=@',
  host: '!$&\'()*+,;=:[]<>"',
  zone: '!$&\'()*+,;=:[]<>"',
  user: '$&+,;=',
  fragment: '$&+,/:;=?@!()*',
}

function isSafe(char: string, mode: Mode): boolean {
  return /[A-Za-z0-9\-_.~]/.test(char) || safe[mode].includes(char)
}

export function escape(text: string, mode: Mode): string {
  return text.replace(/[^]/g, (char) => {
    return isSafe(char, mode)
      ? char
      : `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
  })
}

function unescape(text: string, mode: Mode): string {
  return text.replace(/%(?:[0-9A-Fa-f]{2})?|[^%]/g, (part, at: number) => {
    if (part === '%') throw new GoError(`invalid URL escape ${quote(text.slice(at, at + 3))}`)
    if (part.length === 1) {
      if ((mode === 'host' || mode === 'zone') && part < '\x80' && !isSafe(part, mode)) {
        throw new GoError(`invalid character ${quote(part)} in host name`)
      }
      return part
    }
    const char = String.fromCharCode(Number.parseInt(part.slice(1), 16))
    const isWrong =
      part !== '%25' &&
      (mode === 'host' ? char < '\x80' : mode === 'zone' && char !== ' ' && !isSafe(char, 'host'))
    if (isWrong) throw new GoError(`invalid URL escape ${quote(part)}`)
    return char
  })
}

/** An error about the fragment starts with # and names the whole URL. */
export function parseUrl(whole: string): UrlParts {
  const at = whole.indexOf('#')
  const parts = parseBeforeFragment(at < 0 ? whole : whole.slice(0, at))
  try {
    return { ...parts, fragment: at < 0 ? '' : unescape(whole.slice(at + 1), 'fragment') }
  } catch (error) {
    if (!(error instanceof GoError)) throw error
    throw new GoError(`#parse ${quote(whole)}: ${error.text}`)
  }
}

function parseBeforeFragment(url: string): UrlParts {
  // oxlint-disable-next-line no-control-regex
  if (/[\0-\x1f\x7f]/.test(url)) throw new GoError('net/url: invalid control character in URL')
  const empty = {
    scheme: '',
    host: '',
    hostname: '',
    path: '',
    query: '',
    opaque: '',
    fragment: '',
    userinfo: '',
  }
  if (url === '*') return { ...empty, path: '*' }
  if (url.startsWith(':')) throw new GoError('missing protocol scheme')
  const found = /^[A-Za-z][A-Za-z0-9+.-]*:/.exec(url)?.[0] ?? ''
  const scheme = found.slice(0, -1).toLowerCase()
  const afterScheme = url.slice(found.length)
  const mark = afterScheme.indexOf('?')
  let rest = mark < 0 ? afterScheme : afterScheme.slice(0, mark)
  const query = mark < 0 ? '' : afterScheme.slice(mark + 1)
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...empty, scheme, query, opaque: rest }
    if ((rest.split('/')[0] ?? '').includes(':')) {
      throw new GoError('first path segment in URL cannot contain colon')
    }
  }
  let authority = { host: '', userinfo: '' }
  if (rest.startsWith('//') && (scheme !== '' || !rest.startsWith('///'))) {
    const slash = rest.indexOf('/', 2)
    authority = parseAuthority(scheme, rest.slice(2, slash < 0 ? rest.length : slash))
    rest = slash < 0 ? '' : rest.slice(slash)
  }
  return {
    ...empty,
    scheme,
    query,
    ...authority,
    hostname: hostname(authority.host),
    path: unescape(rest, 'path'),
  }
}

function parseAuthority(scheme: string, authority: string): { host: string; userinfo: string } {
  const at = authority.lastIndexOf('@')
  const host = parseHost(scheme, authority.slice(at + 1))
  if (at < 0) return { host, userinfo: '' }
  const user = authority.slice(0, at)
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user))
    throw new GoError('net/url: invalid userinfo')
  const colon = user.indexOf(':')
  const parts = colon < 0 ? [user] : [user.slice(0, colon), user.slice(colon + 1)]
  return { host, userinfo: parts.map((part) => escape(unescape(part, 'user'), 'user')).join(':') }
}

function parseHost(scheme: string, host: string): string {
  const bracket = host.lastIndexOf('[')
  if (bracket > 0) throw new GoError('invalid IP-literal')
  if (bracket === 0) {
    const close = host.lastIndexOf(']')
    if (close < 0) throw new GoError("missing ']' in host")
    checkPort(host.slice(close + 1))
    return `[${literal(host.slice(1, close))}]${unescape(host.slice(close + 1), 'host')}`
  }
  const isStrict = scheme === 'http' || scheme === 'https'
  const colon = isStrict ? host.indexOf(':') : host.lastIndexOf(':')
  if (colon >= 0) checkPort(host.slice(colon))
  return unescape(host, 'host')
}

function literal(name: string): string {
  const zone = name.indexOf('%25')
  const plain =
    zone < 0
      ? unescape(name, 'host')
      : unescape(name.slice(0, zone), 'host') + unescape(name.slice(zone), 'zone')
  if (parseIp(plain.replace(/%.*$/s, ''))?.length === 16) return plain
  if (/^[0-9.]+$/.test(plain)) throw new GoError('invalid IP-literal')
  throw new GoError(`invalid host: ParseAddr(${quote(plain)}): unable to parse IP`)
}

function checkPort(port: string): void {
  if (!/^(?::[0-9]*)?$/.test(port)) throw new GoError(`invalid port ${quote(port)} after host`)
}

function hostname(host: string): string {
  const plain = host.replace(/:[0-9]*$/, '')
  if (host.startsWith('[') && host.includes(']')) return host.slice(1, host.lastIndexOf(']'))
  return plain
}
