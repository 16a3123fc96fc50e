/** Looks whether host ports are free before a container is made for them: the engine itself finds out only at its start. */
import { isInUse } from '#domains/containers/host-ports.ts'
import { numberOf, recordsOf, textOf } from '#clients/http/read.ts'
import { Problem } from '#model/problem.ts'
import type { Job } from './job.ts'

/** Once more, for someone who is just letting go of it. */
const tries = 2

export async function assertFree({ docker, payload, context }: Job): Promise<void> {
  const ports = recordsOf(payload['ports'])
  if (!docker.isLocal) return
  for (const port of ports) {
    const [number, host] = [numberOf(port['hostPort']), textOf(port['hostIP']) || '0.0.0.0']
    if (port['protocol'] !== 'tcp' || !(await isInUse(number, host))) continue
    throw new Problem({
      type: 'runtime',
      code: 'port_taken',
      message: `port ${number} of the host is in use by another process`,
      suggestion: `free it (ss -ltnp 'sport = :${number}' shows who holds it) or publish another one`,
      recoverable: context.attempt < tries,
    })
  }
}
