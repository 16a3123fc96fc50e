/** Tells paths that name something on another machine from local ones, as kustomize would. */

export function isRemoteFile(path: string): boolean {
  return /^https?:/i.test(path)
}

const schemes = ['ssh://', 'https://', 'http://', 'file://']

/** Whether a path of a base would be cloned. */
export function isRemoteBase(path: string): boolean {
  if (path.startsWith('/')) return false
  const bare = path.split('?')[0]!.replace(/^git::/i, '')
  const scheme = schemes.find((one) => bare.toLowerCase().startsWith(one)) ?? ''
  const afterScheme = bare.slice(scheme.length)
  const user = /^[a-zA-Z][a-zA-Z0-9-]*@/.exec(afterScheme)?.[0] ?? ''
  const rest = afterScheme.slice(user.length)
  const isGithub = /^github\.com[/:]/i.test(rest)
  const isShort = scheme === '' && (user !== '' || isGithub)
  if (scheme === '' && !isShort) return false
  if (scheme === 'file://') return hasRepository(`${user}${rest}`, Infinity)
  const slash = rest.indexOf('/')
  const colon = isShort ? rest.indexOf(':') : -1
  const at = slash < 0 || (colon > 0 && colon < slash) ? (colon > 0 ? colon : slash) : slash
  if (at < 0) return false
  return hasRepository(rest.slice(at + 1), 2)
}

/** Marks in a path say where the repository ends; without one it is the first two parts. */
function hasRepository(path: string, parts: number): boolean {
  const marked =
    /^(.*?_git\/[^/]*)(.*)$/.exec(path) ??
    /^(.*?)\/\/(.*)$/.exec(path) ??
    /^(.*?\.git)(.*)$/.exec(path)
  const split = path.split('/')
  if (marked === null && parts !== Infinity && split.length < parts) return false
  const repository = marked?.[1] ?? (parts === Infinity ? path : split.slice(0, parts).join('/'))
  const folder = marked?.[2] ?? (parts === Infinity ? '' : split.slice(parts).join('/'))
  return repository !== '' && !/^\/?\.\.(?:\/|$)/.test(folder)
}
