/** Images: pulled as the policy says, or built. */
import { textIn } from '#domains/containers/payload.ts'
import { assertNotKnownHeavy, assertNotTooHeavy } from '#domains/containers/image-load.ts'
import { getImage } from '#domains/containers/operate/image.ts'
import type { Outputs } from '#model/domain.ts'
import { ensureImage } from '../pull.ts'
import { openedBuildOf } from '../spec-of.ts'
import { ensureBuilt } from './build.ts'
import { assertFree } from './free-ports.ts'
import { type Job } from './job.ts'

export const imageVerbs = { 'image.get': get } as const

async function get(job: Job): Promise<Outputs> {
  const { docker, memory, context, payload } = job
  await assertFree(job)
  if (payload['build'] !== undefined) {
    assertNotKnownHeavy(job, textIn(job, 'image'))
    await ensureBuilt(job, openedBuildOf(payload['build']))
    await assertNotTooHeavy(job, textIn(job, 'image'))
    return {}
  }
  const { platform } = payload
  const wish = {
    policy: textIn(job, 'policy'),
    platform: typeof platform === 'string' ? platform : undefined,
    report: (text: string) => context.report(text),
  }
  await getImage(job, textIn(job, 'image'), (image, only) => {
    const wanted = { ...wish, image, policy: only ?? wish.policy }
    return ensureImage(docker, memory, wanted, context.signal)
  })
  return {}
}
