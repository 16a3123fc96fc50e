/**
 * How much processor time a test file and everything that it started took, daemons that left it included: a control group tells.
 * Only with root, and only when it is asked for (`npm test -- --processor`). What containers themselves do is not counted.
 */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type Processor = {
  add(pid: number): void
  /** Seconds so far. */
  seconds(): number
  close(): void
}

/** The first version of control groups has a folder for each resource, the second has one for all. */
const first = '/sys/fs/cgroup/cpuacct'
const second = '/sys/fs/cgroup'

export function openProcessor(name: string): Processor {
  const isFirst = existsSync(join(first, 'cpuacct.usage'))
  const folder = join(isFirst ? first : second, `tend-test-${process.pid}-${name}`)
  mkdirSync(folder)
  return {
    add: (pid) => writeFileSync(join(folder, 'cgroup.procs'), String(pid)),
    seconds() {
      if (isFirst) return Number(readFileSync(join(folder, 'cpuacct.usage'), 'utf8')) / 1e9
      const text = readFileSync(join(folder, 'cpu.stat'), 'utf8')
      return Number(/usage_usec (\d+)/.exec(text)?.[1]) / 1e6
    },
    close() {
      try {
        rmdirSync(folder)
      } catch {
        // something that the file started has not ended: the folder stays until the machine is started anew
      }
    },
  }
}
