/** A port that is taken: by whom, as far as this user may see it. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import { factsOf, Problem } from '#model/problem.ts'

export function explained(thrown: unknown, port: number): unknown {
  if (!(thrown instanceof Problem) || thrown.code !== 'port_taken') return thrown
  const cause = thrown.cause instanceof Error && 'code' in thrown.cause ? thrown.cause.code : ''
  const other = 'choose another port (--listen, PORT, or listen in tend.yaml)'
  if (cause === 'EACCES') {
    return new Problem({ ...factsOf(thrown), suggestion: `ports below 1024 are root's: ${other}` })
  }
  if (cause !== 'EADDRINUSE') return new Problem({ ...factsOf(thrown), suggestion: other })
  const holder = holderOf(port)
  const who = holder === undefined ? 'another program' : `${holder.name} (pid ${holder.pid})`
  return new Problem({
    ...factsOf(thrown),
    message: `port ${port} is taken by ${who}`,
    suggestion: `end it, or ${other}`,
  })
}

type Holder = { readonly name: string; readonly pid: number }

function holderOf(port: number): Holder | undefined {
  const sockets = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => inodes(file, port)))
  if (sockets.size === 0) return undefined
  const pids = listed('/proc').filter((name) => /^\d+$/.test(name))
  const pid = pids.find((one) =>
    listed(`/proc/${one}/fd`).some((fd) => sockets.has(linkOf(`/proc/${one}/fd/${fd}`))),
  )
  if (pid === undefined) return undefined
  const [program = ''] = textOf(`/proc/${pid}/cmdline`).split('\0')
  return { name: basename(program) || textOf(`/proc/${pid}/comm`).trim(), pid: Number(pid) }
}

/** Those that listen (state 0A) there, as links of descriptors name them. */
function inodes(file: string, port: number): readonly string[] {
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return textOf(file)
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = '', , state]) => local.endsWith(end) && state === '0A')
    .map((fields) => `socket:[${fields[9]}]`)
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
