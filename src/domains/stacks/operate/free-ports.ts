/** Looks once more whether host ports are free, when a run comes to it: the engine itself finds out only at a start. */
import { listeners } from '#clients/host/listeners.ts'
import { numberOf, recordsOf, textOf } from '#model/read-json.ts'
import { Problem } from '#model/problem.ts'
import { overlap } from '#domains/containers/host-ports.ts'
import type { Docker } from '#clients/docker/client.ts'
import { boundsOf, type HostPort } from '../host-ports.ts'
import { holderIn, isPublishedHere } from '../observe/taken-ports.ts'
import type { Job } from './job.ts'

/** Once more, for someone who is just letting go of it. */
const tries = 2

export async function assertFree({ docker, payload, context }: Job): Promise<void> {
  const ports = recordsOf(payload['ports'])
  if (ports.length === 0 || !isPublishedHere(docker)) return
  const taken = listeners()
  for (const port of ports) {
    const [hostPort, protocol] = [numberOf(port['hostPort']), textOf(port['protocol'])]
    const wanted = { hostPort, protocol, hostIP: textOf(port['hostIP']) }
    const about = { ...wanted, containerPort: 0, range: String(hostPort) }
    if ((await holderIn(about, taken)) === undefined) continue
    throw new Problem({
      type: 'runtime',
      code: 'port_taken',
      message: `port ${hostPort}/${protocol} of the host is in use by another process`,
      suggestion: `free it (ss -lnp 'sport = :${hostPort}' shows who holds it) or publish another one`,
      recoverable: context.attempt < tries,
    })
  }
}

/** The first of a range that nobody listens on; where that can't be known, the first. */
export function freePorts(docker: Docker): (port: HostPort) => string {
  const chosen = new Set<number>()
  return (port) => {
    if (!port.range.includes('-')) return port.range
    const taken = isPublishedHere(docker) ? listeners() : []
    const isTaken = (number: number): boolean =>
      taken.some(
        (one) =>
          one.port === number &&
          one.protocol === port.protocol &&
          (one.address === '::' || overlap(one.address, port.hostIP)),
      )
    const [from, to] = boundsOf(port) ?? [0, 0]
    let free = from
    while (free < to && (chosen.has(free) || isTaken(free))) free += 1
    if (chosen.has(free) || isTaken(free)) free = from
    chosen.add(free)
    return String(free)
  }
}
