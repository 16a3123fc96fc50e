/** As whom a container runs. */
import { recordOf, textOf } from '#model/read-json.ts'
import type { Job } from './job.ts'
import type { SettledContainer } from '../spec-of.ts'

/** A group alone leaves the user to the image, but Podman would take root: the image is asked. */
export async function userFor(job: Job, spec: SettledContainer): Promise<string | undefined> {
  const { user, image } = spec
  if (user === undefined || !user.startsWith(':')) return user
  const { podman, context } = job
  const said = await podman.ask('GET', `/images/${encodeURIComponent(image)}/json`, {
    signal: context.signal,
    doing: `could not look at image ${image}`,
  })
  const own = textOf(recordOf(recordOf(said.body)['Config'])['User']).split(':')[0]
  return `${own === undefined || own === '' ? '0' : own}${user}`
}
