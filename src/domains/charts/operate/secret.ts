/** Secrets: the only place where one is opened. */
import { isSameObject, textIn } from '#domains/containers/payload.ts'
import { createSecret, inspectSecret, removeSecret } from '#clients/podman/secrets.ts'
import type { Outputs } from '#model/domain.ts'
import { isSealed } from '#model/value.ts'
import { labelsForNew, labelsIn, type Job } from './job.ts'

export const secretVerbs = { 'secret.create': create, 'secret.remove': remove } as const

async function create(job: Job): Promise<Outputs> {
  const { podman, context, payload } = job
  const [name, key] = [textIn(job, 'name'), textIn(job, 'key')]
  const { content } = payload
  if (!isSealed(content)) throw new TypeError('a secret that is not sealed')
  const labels = labelsIn(job)
  const done = { [key]: name }
  if (context.attempt > 1) {
    const found = await inspectSecret(podman, name, context.signal)
    if (found !== undefined && isSameObject(found.labels, labels)) return done
  }
  await createSecret(podman, name, labelsForNew(job), context.open(content), context.signal)
  return done
}

async function remove(job: Job): Promise<Outputs> {
  await removeSecret(job.podman, textIn(job, 'name'), job.context.signal)
  return {}
}
