/** Gets images: once for all containers that want one, and only when the policy says so. */
import type { Docker } from '#clients/docker/client.ts'
import { inspectImage, pullImage, type PullProgress } from '#clients/docker/images.ts'
import { recordOf, textOf } from '#model/read-json.ts'
import { authFor } from '#clients/registry/credentials.ts'
import { gotOnce, noteImage } from '#domains/containers/operate/image.ts'
import { parseDuration } from '#formats/compose/canonical/units.ts'
import { Problem } from '#model/problem.ts'
import { candidatesOf, imageIdOf, plainId } from './image-name.ts'
import type { Memory } from './memory.ts'

export type Wish = {
  readonly image: string
  /** In Compose's words. */
  readonly policy: string
  readonly platform?: string | undefined
  report(progress: string): void
}

/** The policies that look for a newer one now and then. */
export function isAsking(policy: string): boolean {
  return policy === 'always' || ageOf(policy) !== undefined
}

/** The id that the image has now. */
export async function ensureImage(
  docker: Docker,
  memory: Memory,
  wish: Wish,
  signal: AbortSignal,
): Promise<string> {
  const { image, policy } = wish
  const known = imageIdOf(image, memory.images)
  if (known !== undefined && (!isAsking(policy) || memory.fresh.has(image))) return known
  if (policy !== 'always') {
    const found = await inspectImage(docker, image, signal)
    if (found !== undefined && !isOld(textOf(recordOf(found['Metadata'])['LastTagTime']), policy)) {
      return remember(memory, image, plainId(textOf(found['Id'])))
    }
  }
  if (policy === 'never' || policy === 'build') throw absent(image, policy)
  return gotOnce(memory, image, () => pulled(docker, memory, wish, signal))
}

async function pulled(
  docker: Docker,
  memory: Memory,
  wish: Wish,
  signal: AbortSignal,
): Promise<string> {
  const { image, platform } = wish
  const auth = await authFor(image)
  const report = (step: PullProgress): void => wish.report(wordsOf(step))
  const id = plainId(await pullImage(docker, { image, platform, auth, report }, signal))
  memory.fresh.add(image)
  return remember(memory, image, id)
}

function wordsOf({ layer, status, current, total }: PullProgress): string {
  const part = total > 0 ? ` ${Math.floor((100 * current) / total)}%` : ''
  return `${layer === '' ? '' : `${layer}: `}${status}${part}`
}

export function remember(memory: Memory, image: string, id: string): string {
  return noteImage(memory, candidatesOf(image), id)
}

/** How old one may be, ms; undefined where age is no matter. */
function ageOf(policy: string): number | undefined {
  if (policy === 'refresh') return 0
  if (policy === 'daily') return 86_400_000
  if (policy === 'weekly') return 7 * 86_400_000
  const every = /^every_(.+)$/.exec(policy)?.[1]
  const nanoseconds = every === undefined ? undefined : parseDuration(every)
  return nanoseconds === undefined ? undefined : Number(nanoseconds / 1_000_000n)
}

/** By the time that its name was last given here: a pull gives it. */
function isOld(taggedAt: string, policy: string): boolean {
  const age = ageOf(policy)
  if (age === undefined) return false
  const since = Date.now() - Date.parse(taggedAt)
  return Number.isNaN(since) || since > age
}

function absent(image: string, policy: string): Problem {
  return new Problem({
    type: 'runtime',
    code: 'image_not_found',
    message: `image ${image} is not there, and pull_policy ${policy} forbids to pull it`,
    suggestion: `pull or build it (docker pull ${image}), or use pull_policy: missing`,
  })
}
