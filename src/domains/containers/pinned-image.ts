/** The image that an earlier run used: how it is written down, and how it is brought back when that run is applied again. */
import { recordOf } from '#model/read-json.ts'
import type { Images, PinnedImage } from '#model/image.ts'
import { Problem } from '#model/problem.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import type { Observation } from '#model/resource.ts'
import { liveContainerIn } from './live-state.ts'
import type { Payload } from './payload.ts'

/** `known`: names and digests of the images that are there, to their ids; `candidatesOf`: what the engine may call an image. */
export function imagesIn(
  world: Observation,
  known: ReadonlyMap<string, string>,
  candidatesOf: (image: string) => readonly string[],
): Images {
  const images: Record<Ref, PinnedImage> = {}
  for (const [ref, seen] of world) {
    if (kindOf(ref) !== 'container' || seen.kind !== 'present' || seen.isGiven === true) continue
    const { imageId: id } = liveContainerIn(recordOf(seen.live))
    const image = recordOf(seen.recorded?.spec)['image']
    if (id === '' || typeof image !== 'string') continue
    const repositories = new Set(candidatesOf(image).map(repositoryOf))
    const digest = [...known.keys()].find(
      (name) =>
        name.includes('@') && known.get(name) === id && repositories.has(repositoryOf(name)),
    )
    images[ref] = { id, ...(digest === undefined ? {} : { digest }) }
  }
  return images
}

function repositoryOf(name: string): string {
  const [tagged = ''] = name.split('@')
  const colon = tagged.lastIndexOf(':')
  return colon > tagged.lastIndexOf('/') ? tagged.slice(0, colon) : tagged
}

export function pinnedIn({ payload }: { readonly payload: Payload }): PinnedImage | undefined {
  const { id, digest } = recordOf(payload['pinned'])
  if (typeof id !== 'string') return undefined
  return { id, ...(typeof digest === 'string' ? { digest } : {}) }
}

type Getter = {
  readonly isThere: (id: string) => Promise<boolean>
  readonly pull: (digest: string) => Promise<unknown>
}

/** Here already, or pulled by its digest: never by its tag, which may mean another one. */
export async function ensurePinned(
  { id, digest }: PinnedImage,
  image: string,
  { isThere, pull }: Getter,
): Promise<void> {
  if (await isThere(id)) return
  if (digest === undefined) throw gone(image, id, undefined)
  await pull(digest).catch((thrown: unknown) => {
    throw thrown instanceof Problem ? gone(image, id, thrown) : thrown
  })
  if (!(await isThere(id))) throw gone(image, id, undefined)
}

function gone(image: string, id: string, cause: Problem | undefined): Problem {
  if (cause?.recoverable === true) return cause
  const why = cause === undefined ? '' : `: ${cause.message}`
  return new Problem({
    type: 'runtime',
    code: 'image_not_found',
    message: `the image that ${image} was in that run (${id.slice(0, 12)}) is no longer here, and can't be pulled by its digest${why}`,
    suggestion: 'bring it back (load or push it again), or go back to a run whose images are here',
    cause,
  })
}
