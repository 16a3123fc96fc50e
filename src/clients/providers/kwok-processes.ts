/** Whether the processes of a kwok cluster live, by the files in which kwokctl keeps their numbers. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A component that ended while others go on: nobody else starts it again. Where none is seen to live, asking the cluster tells more. */
export function deadPart(folder: string): string | undefined {
  const parts = filesIn(folder).map((file) => ({
    name: file.replace(/\.pid$/, ''),
    lives: isAlive(join(folder, file)),
  }))
  return parts.some(({ lives }) => lives) ? parts.find(({ lives }) => !lives)?.name : undefined
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((file) => file.endsWith('.pid'))
  } catch {
    // a cluster of containers has no such folder
    return []
  }
}

function isAlive(file: string): boolean {
  try {
    const pid = Number(readFileSync(file, 'utf8').trim())
    process.kill(pid, 0)
    return !isUnburied(pid)
  } catch (thrown) {
    // one of another user lives
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM'
  }
}

/** The process ended, and its parent did not wait for it. */
function isUnburied(pid: number): boolean {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/, ''))
  } catch {
    // not Linux, or gone this moment: the next look tells
    return false
  }
}
