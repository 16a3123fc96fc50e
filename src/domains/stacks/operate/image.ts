/** Images: pulled as the policy says, or built. */
import { inspectImage } from '#clients/docker/images.ts'
import { textIn } from '#domains/containers/payload.ts'
import { ensurePinned, pinnedIn } from '#domains/containers/pinned-image.ts'
import { recordOf } from '#clients/http/read.ts'
import type { Outputs } from '#model/domain.ts'
import { ensureImage } from '../pull.ts'
import { ensureBuilt } from './build.ts'
import { assertFree } from './free-ports.ts'
import { type Job } from './job.ts'

export const imageVerbs = { 'image.get': get } as const

async function get(job: Job): Promise<Outputs> {
  const { docker, memory, context, payload } = job
  await assertFree(job)
  if (payload['build'] !== undefined) {
    await ensureBuilt(job, recordOf(payload['build']))
    return {}
  }
  const { platform } = payload
  const wish = {
    image: textIn(job, 'image'),
    policy: textIn(job, 'policy'),
    platform: typeof platform === 'string' ? platform : undefined,
    report: (text: string) => context.report(text),
  }
  const pinned = pinnedIn(job)
  if (pinned === undefined) await ensureImage(docker, memory, wish, context.signal)
  else {
    await ensurePinned(pinned, wish.image, {
      isThere: async (id) => (await inspectImage(docker, id, context.signal)) !== undefined,
      pull: (digest) => {
        const by = { ...wish, image: digest, policy: 'missing' }
        return ensureImage(docker, memory, by, context.signal)
      },
    })
  }
  return {}
}
