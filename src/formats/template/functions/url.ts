/** urlParse and urlJoin: Go's net/url, as a dictionary. */
import { GoError } from '../errors.ts'
import { dictionary, takes1, text, type Func } from '../library.ts'
import { dict, kindOf, type Dict } from '../values.ts'
import { quote } from '../quote.ts'
import { escape, parseUrl } from './url-parse.ts'

export const urlFunctions: Readonly<Record<string, Func>> = {
  urlParse: takes1(text, (_, url) => {
    const parts = orPanic('unable to parse url', url, () => parseUrl(url))
    return dict(new Map(Object.entries(parts)))
  }),
  urlJoin: takes1(dictionary, (_, parts) => join(parts)),
}

function orPanic<T>(what: string, url: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof GoError)) throw error
    const named = error.text.startsWith('#')
      ? error.text.slice(1)
      : `parse ${quote(url.split('#')[0] ?? '')}: ${error.text}`
    throw new GoError(`${what}: ${named}`)
  }
}

function join(parts: Dict): string {
  const [scheme, host, path, query, opaque, fragment, userinfo] = [
    'scheme',
    'host',
    'path',
    'query',
    'opaque',
    'fragment',
    'userinfo',
  ].map((key) => part(parts, key))
  const user = userinfo === undefined || userinfo === '' ? undefined : userOf(userinfo)
  let out = scheme ? `${scheme}:` : ''
  if (opaque) out += opaque
  else {
    if ((scheme || host || user !== undefined) && (host || path || user !== undefined)) out += '//'
    if (user !== undefined) out += `${user}@`
    out += escape(host ?? '', 'host')
    const escaped = path === '*' ? '*' : escape(path ?? '', 'path')
    if (escaped !== '' && !escaped.startsWith('/') && host) out += '/'
    if (out === '' && (escaped.split('/')[0] ?? '').includes(':')) out += './'
    out += escaped
  }
  if (query) out += `?${query}`
  return fragment ? `${out}#${escape(fragment, 'fragment')}` : out
}

function userOf(userinfo: string): string {
  const url = `proto://${userinfo}@host`
  return orPanic('unable to parse userinfo in dict', url, () => {
    const parsed = parseUrl(url)
    return parsed.userinfo
  })
}

function part(parts: Dict, key: string): string {
  const value = parts.entries.get(key)
  if (value === undefined) return ''
  if (typeof value === 'string') return value
  if (value === null)
    throw new GoError('runtime error: invalid memory address or nil pointer dereference')
  throw new GoError(
    `unable to parse ${key} key, must be of type string, but ${kindOf(value)} found`,
  )
}
