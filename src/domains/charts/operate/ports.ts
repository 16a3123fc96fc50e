/** Looks whether host ports are free before a start: one that fails for a held port can take the holder's traffic away. */
import { isInUse } from '#domains/containers/host-ports.ts'
import { isList } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import type { Value } from '#model/value.ts'
import type { Job } from './job.ts'
import { fieldsOf } from '../spec-of.ts'

/** How often it is worth waiting: what was just stopped lets go of its port a moment later. */
const patience = 4

export async function assertFree(job: Job, tries = patience): Promise<void> {
  const { podman, payload, context } = job
  const { ports } = payload
  if (!podman.isLocal || !isList<Value>(ports) || ports.length === 0) return
  for (const port of ports) {
    const { hostPort, hostIP, protocol } = fieldsOf(port)
    if (typeof hostPort !== 'number' || protocol !== 'tcp') continue
    if (!(await isInUse(hostPort, typeof hostIP === 'string' ? hostIP : '0.0.0.0'))) continue
    throw new Problem({
      type: 'runtime',
      code: 'port_taken',
      message: `host port ${hostPort}/tcp is in use by another process`,
      suggestion: `free it (ss -ltnp 'sport = :${hostPort}' shows who holds it) or choose another hostPort`,
      recoverable: context.attempt < tries,
    })
  }
}
