/** Gets images: once for all containers that want one, and only when the policy says so. */
import type { Podman } from '#clients/podman/client.ts'
import { authFor } from '#clients/registry/credentials.ts'
import { findImage, pullImage } from '#clients/podman/images.ts'
import { gotOnce, noteImage } from '#domains/containers/operate/image.ts'
import { Problem } from '#model/problem.ts'
import { candidatesOf, imageIdOf } from '../image-name.ts'
import type { Memory } from '../memory.ts'
import type { ContainerSpec } from '../spec.ts'

export type Wish = {
  readonly image: string
  readonly policy: ContainerSpec['imagePullPolicy']
  report(progress: string): void
}

/** The id that the image has now. */
export async function ensureImage(
  podman: Podman,
  memory: Memory,
  wish: Wish,
  signal: AbortSignal,
): Promise<string> {
  const { image, policy } = wish
  const asks = policy === 'always' || policy === 'newer'
  const known = imageIdOf(image, memory.images)
  if (known !== undefined && (!asks || memory.fresh.has(image))) return known
  if (!asks) {
    const found = await findImage(podman, image, signal)
    if (found !== undefined) return noteImage(memory, candidatesOf(image), found)
  }
  if (policy === 'never') throw absent(image)
  // no registry is behind that name: Podman would ask this machine for one, and wait
  if (policy === 'missing' && image.startsWith('localhost/')) {
    throw notFound(image, 'images of localhost/ are made on this machine: build or import it first')
  }
  return gotOnce(memory, `${policy} ${image}`, () => pulled(podman, memory, wish, policy, signal))
}

async function pulled(
  podman: Podman,
  memory: Memory,
  wish: Wish,
  policy: 'always' | 'missing' | 'newer',
  signal: AbortSignal,
): Promise<string> {
  const { image } = wish
  const auth = await authFor(image)
  const report = (text: string): void => wish.report(text)
  const said = await pullImage(podman, { image, policy, auth, report }, signal).catch(
    (thrown: unknown) => {
      const isMissing = thrown instanceof Problem && thrown.code === 'image_not_found'
      throw isMissing ? notFound(image, 'Check image name and tag', thrown.message) : thrown
    },
  )
  const id = said === '' ? await findImage(podman, image, signal) : said
  if (id === undefined) throw absent(image)
  memory.fresh.add(image)
  return noteImage(memory, candidatesOf(image), id)
}

function notFound(image: string, suggestion: string, cause?: string): Problem {
  const message = `image '${image}' not found`
  return new Problem({ type: 'runtime', code: 'image_not_found', message, suggestion, cause })
}

function absent(image: string): Problem {
  return new Problem({
    type: 'runtime',
    code: 'image_not_found',
    message: `image ${image} is not there, and imagePullPolicy never forbids to pull it`,
    suggestion: `pull or build it (podman pull ${image}), or use imagePullPolicy missing`,
  })
}
