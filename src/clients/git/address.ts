/** Where a repository is: an address that git may be given, and how it is shown. */
import { pathToFileURL } from 'node:url'
import { Problem } from '#model/problem.ts'
import { defined } from '#model/defined.ts'

export type Address = {
  readonly kind: 'http' | 'ssh' | 'file'
  /** As git gets it on its command line: never with a password. */
  readonly url: string
  readonly shown: string
  /** What a credential is bound to: `https://host:port`, or user, host and port of ssh. */
  readonly origin: string
  /** The last part of the path, for folders and messages. */
  readonly name: string
}

const scp = /^((?:[\w.-]+@)?)([\w.-]+|\[[0-9a-fA-F:]+\]):(?!\/\/|:)\S/

export function addressOf(text: string): Address {
  const url = text.trim()
  if (url === '' || url.startsWith('-') || /\p{Cc}/u.test(url)) throw notAnAddress()
  if (url.startsWith('/')) return local(pathToFileURL(url).href, url, url)
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return parsed(url)
  const short = scp.exec(url)
  if (short === null) throw notAnAddress()
  const origin = `${defined(short[1])}${defined(short[2]).toLowerCase()}:22`
  return { kind: 'ssh', url, shown: url, origin, name: nameOf(url) }
}

function parsed(text: string): Address {
  const url = URL.parse(text)
  if (url === null) throw notAnAddress()
  const kind = url.protocol.slice(0, -1)
  if (kind === 'file') return local(text, text, decodeURIComponent(url.pathname))
  const shown = `${url.protocol}//${url.host}${url.pathname}`
  if (kind === 'http' || kind === 'https') {
    if (url.username !== '' || url.password !== '') throw holdsCredentials(shown)
    return { kind: 'http', url: text, shown, origin: url.origin, name: nameOf(url.pathname) }
  }
  if (kind !== 'ssh') throw otherProtocol(kind, shown)
  if (url.password !== '') throw holdsCredentials(shown)
  const name = nameOf(url.pathname)
  const user = url.username === '' ? '' : `${url.username}@`
  const origin = `${user}${url.hostname.toLowerCase()}:${url.port || '22'}`
  return { kind: 'ssh', url: text, shown: text, origin, name }
}

/** The address is always a URL: git records the address of a filtered fetch, and takes none that begins with a slash. */
function local(url: string, shown: string, path: string): Address {
  return { kind: 'file', url, shown, origin: path, name: nameOf(path) }
}

/** Where a submodule's address leads: one that begins with a dot is taken from its parent's. */
export function addressFrom(parent: Address, text: string): Address {
  if (!/^\.\.?\//.test(text)) return addressOf(text)
  let base = parent.url.replace(/\/+$/, '')
  let rest = text
  for (let step = /^(\.\.?)\/+/.exec(rest); step !== null; step = /^(\.\.?)\/+/.exec(rest)) {
    rest = rest.slice(step[0].length)
    if (step[1] === '..') base = base.replace(/(?:^|[/]|(?<=:))[^/:]+$/, '')
  }
  const joint = base.endsWith(':') && parent.kind === 'ssh' ? '' : '/'
  return addressOf(`${base}${joint}${rest}`)
}

function nameOf(path: string): string {
  const last = path.replace(/\/+$/, '').replace(/\/?\.git$/, '')
  return last.slice(Math.max(last.lastIndexOf('/'), last.lastIndexOf(':')) + 1) || 'repository'
}

function notAnAddress(): Problem {
  return refused(
    'the address of a Git repository is not one that can be used',
    'Write https://host/path, ssh://user@host/path, user@host:path, file:///path or an absolute path.',
  )
}

function otherProtocol(protocol: string, shown: string): Problem {
  return refused(
    `${shown}: repositories are not fetched over ${protocol}`,
    'Use https, http, ssh, file or an absolute path.',
  )
}

function holdsCredentials(shown: string): Problem {
  return refused(
    `the address of ${shown} holds a user or a password`,
    'Take it out of the address and name the file or the variable that holds it as the credential.',
  )
}

function refused(message: string, suggestion: string): Problem {
  return new Problem({ type: 'configuration', code: 'git_error', message, suggestion })
}
