/** Finds the process that holds a socket, as far as this user may see it, and the container that it holds it for. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'

export type SocketHolder = {
  readonly name: string
  readonly pid: number
  /** The name or address of the container that it forwards a port for. */
  readonly container: string | undefined
}

export function holderOfSocket(inodes: ReadonlySet<string>): SocketHolder | undefined {
  const sockets = new Set([...inodes].map((inode) => `socket:[${inode}]`))
  if (sockets.size === 0) return undefined
  const pids = listed('/proc').filter((name) => /^\d+$/.test(name))
  const pid = pids.find((one) =>
    listed(`/proc/${one}/fd`).some((fd) => sockets.has(linkOf(`/proc/${one}/fd/${fd}`))),
  )
  if (pid === undefined) return undefined
  const words = textOf(`/proc/${pid}/cmdline`).split('\0')
  const name = basename(words[0] ?? '') || textOf(`/proc/${pid}/comm`).trim()
  return { name, pid: Number(pid), container: containerIn(name, words) }
}

/** `docker-proxy … -container-ip 172.17.0.2`, `conmon … -n web`. */
function containerIn(name: string, words: readonly string[]): string | undefined {
  const flag = { 'docker-proxy': '-container-ip', conmon: '-n' }[name]
  const at = flag === undefined ? -1 : words.indexOf(flag)
  return at === -1 ? undefined : words[at + 1]
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    // it ended meanwhile, or is another user's
    return []
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    // a process may end, or belong to another user, while it is looked at
    return ''
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // a process may end, or belong to another user, while it is looked at
    return ''
  }
}
