/** Whether two addresses mean one repository, whichever way it is reached. */

export function isSameRepository(one: string, other: string): boolean {
  return plain(one) === plain(other)
}

/** Host and path: no scheme, user, port or `.git`. `git@host:path` is another way to write ssh. */
function plain(address: string): string {
  const short = /^(?:[^@/\s]+@)?([^:/\s]+):(?!\/\/)(.+)$/.exec(address)
  const [host, path] =
    short === null ? parts(address) : [short[1] ?? '', `/${(short[2] ?? '').replace(/^\/+/, '')}`]
  const folder = path.replace(/\/+$/, '').replace(/\.git$/, '')
  return `${host.toLowerCase()}${folder}`
}

function parts(address: string): readonly [host: string, path: string] {
  if (!URL.canParse(address)) return ['', address]
  const { hostname, pathname } = new URL(address)
  return [hostname, pathname]
}
