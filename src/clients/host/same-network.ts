/** Whether a local engine publishes its ports in this process' network: not so when this process is in a container of its own. */
import { readFileSync, realpathSync } from 'node:fs'

/**
 * The kernel lists a unix socket in the network namespace that it was made in. A socket that is only mounted into a container
 * is not listed there.
 */
export function isInSameNetwork(socketPath: string): boolean {
  const wanted = realOf(socketPath)
  try {
    return readFileSync('/proc/net/unix', 'utf8')
      .split('\n')
      .some((line) => {
        const path = line.trim().split(/\s+/)[7]
        return path?.startsWith('/') === true && (path === socketPath || realOf(path) === wanted)
      })
  } catch {
    // where the kernel does not tell, nothing is known
    return false
  }
}

function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // a link to a namespace is read as it stands
    return path
  }
}
