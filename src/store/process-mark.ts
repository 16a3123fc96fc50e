/** Marks the process that holds something, so that another process can see at once that it is gone. */
import { readFileSync, readlinkSync } from 'node:fs'

/** `machine`: this boot, and the list of processes in which `pid` counts: containers have their own. */
export type ProcessMark = {
  readonly machine: string
  readonly pid: number
  readonly start: string
}

/** Undefined where there is no /proc: then a holder is gone only by time. */
export function ownMark(): ProcessMark | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const machine = `${boot} ${readlinkSync('/proc/self/ns/pid')}`
    const stat = statOf(process.pid)
    return stat && { machine, pid: process.pid, start: stat.start }
  } catch {
    // there is no /proc, or the process has ended
    return undefined
  }
}

/** True only for a process that is surely dead: one that can't be seen from here may be alive. */
export function isGone(mark: ProcessMark): boolean {
  if (mark.machine !== ownMark()?.machine) return false
  if (!exists(mark.pid)) return true
  const stat = statOf(mark.pid)
  return stat !== undefined && (stat.start !== mark.start || stat.isDead)
}

/** Asks the kernel directly, because /proc may hide the processes of other users. */
function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

/** The name in brackets may hold anything, so fields are counted from its end; the start is the 22nd of all. */
function statOf(pid: number): { readonly start: string; readonly isDead: boolean } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [state, start] = [fields[0], fields[19]]
    return start === undefined ? undefined : { start, isDead: state === 'Z' || state === 'X' }
  } catch {
    // the process has ended
    return undefined
  }
}
