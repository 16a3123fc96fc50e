/** Tells paths that name something on another machine from local ones, as kustomize would, and takes their addresses apart. */

export function isRemoteFile(path: string): boolean {
  return /^https?:/i.test(path)
}

/** A folder of a Git repository. */
export type RemoteBase = {
  /** What is cloned: `https://github.com/org/repo`, `git@host:org/repo.git`. */
  readonly repository: string
  /** Without a port, in lower case; empty for a repository of this machine. */
  readonly host: string
  /** Inside of it; empty for its root. */
  readonly folder: string
  /** A branch, a tag or a commit; empty: whatever HEAD is. */
  readonly ref: string
  readonly submodules: boolean
}

/** Whether a path of a base would be cloned. */
export function isRemoteBase(path: string): boolean {
  return remoteBaseOf(path) !== undefined
}

const schemes = ['ssh://', 'https://', 'http://', 'file://']

export function remoteBaseOf(path: string): RemoteBase | undefined {
  if (path.startsWith('/')) return undefined
  const [address = '', ...queries] = path.split('?')
  const found = hostIn(address.replace(/^git::/i, ''))
  const parts = found && partsOf(found.rest, found.start === 'file://' ? Infinity : 2)
  if (found === undefined || parts === undefined) return undefined
  const [repository, folder] = parts
  const query = queryOf(queries.join('?'))
  return {
    repository: `${found.start}${repository}`,
    host: found.start === 'file://' ? '' : bareHost(found.start),
    folder,
    ref: query.get('ref') || query.get('version') || '',
    submodules: !/^(0|f|F|false|FALSE|False)$/.test(query.get('submodules') ?? ''),
  }
}

/** `start`: scheme, user and host, up to where the path of the repository begins. */
function hostIn(address: string): { readonly start: string; readonly rest: string } | undefined {
  const scheme = schemes.find((one) => address.toLowerCase().startsWith(one)) ?? ''
  const afterScheme = address.slice(scheme.length)
  const user = /^[a-zA-Z][a-zA-Z0-9-]*@/.exec(afterScheme)?.[0] ?? ''
  const rest = afterScheme.slice(user.length)
  const isGithub = /^github\.com[/:]/i.test(rest)
  const isShort = scheme === '' && (user !== '' || isGithub)
  if (scheme === '' && !isShort) return undefined
  if (scheme === 'file://') return { start: scheme, rest: `${user}${rest}` }
  const at = separatorIn(rest, isShort)
  if (at < 0) return undefined
  const isSsh = scheme === 'ssh://' || user !== ''
  const github = isSsh ? `${user}github.com:` : 'https://github.com/'
  return {
    start: isGithub ? github : `${scheme}${user}${rest.slice(0, at + 1)}`,
    rest: rest.slice(at + 1),
  }
}

/** `user@host:path` ends its host with a colon. */
function separatorIn(rest: string, isShort: boolean): number {
  const slash = rest.indexOf('/')
  const colon = isShort ? rest.indexOf(':') : -1
  return slash < 0 || (colon > 0 && colon < slash) ? (isShort ? colon : slash) : slash
}

/** Marks in a path say where the repository ends; without one it is the first so many parts. */
function partsOf(path: string, parts: number): readonly [string, string] | undefined {
  const marked =
    /^(.*?_git\/[^/]*)(.*)$/.exec(path) ??
    /^(.*?)\/\/(.*)$/.exec(path) ??
    /^(.*?\.git)(.*)$/.exec(path)
  const split = path.split('/')
  if (marked === null && parts !== Infinity && split.length < parts) return undefined
  const repository = marked?.[1] ?? (parts === Infinity ? path : split.slice(0, parts).join('/'))
  const folder = marked?.[2] ?? (parts === Infinity ? '' : split.slice(parts).join('/'))
  if (repository === '' || /^\/?(?:\.\/|[^/.][^/]*\/\.\.\/)*\.\.(?:\/|$)/.test(folder)) {
    return undefined
  }
  return [repository, folder.replace(/^\//, '')]
}

function bareHost(start: string): string {
  const host = start.replace(/^\w+:\/\//, '').replace(/^[^@/]*@/, '')
  return host.replace(/[/:]$/, '').replace(/:\d+$/, '').toLowerCase()
}

function queryOf(text: string): ReadonlyMap<string, string> {
  const pairs = text.split('&').map((pair) => {
    const [key = '', ...value] = pair.split('=')
    return [decoded(key), decoded(value.join('='))] as const
  })
  // of a name that is there twice the first counts
  return new Map(pairs.toReversed())
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    // kustomize passes over a query that it can't read
    return ''
  }
}
