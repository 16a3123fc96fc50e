/** What the kernel says of a process: time on the processor with that of its ended children, and memory. */
import { readFileSync } from 'node:fs'

/** Milliseconds; the kernel counts in hundredths of a second. */
export function cpuOf(pid: number | 'self'): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field) * 10, 0)
}

/** Bytes. */
export function memoryOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1024
}

/** Whether a program that it started runs at this moment. */
export function hasChildren(pid: number): boolean {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8') !== ''
}
