/** Images: known by name, got once for all who want one, and brought back as an earlier run had them. */
import type { ContainerEngine } from '#model/container-engine.ts'
import type { EngineMemory } from '../memory.ts'
import { ensurePinned, pinnedIn } from '../pinned-image.ts'
import { assertUsable } from '../image-builder.ts'
import { assertNotKnownHeavy, assertNotTooHeavy } from '../image-load.ts'
import type { EngineJob } from './job.ts'

/** What is there, by every name of it. */
export async function noteImages(
  engine: Pick<ContainerEngine, 'listImages'>,
  { images: known }: EngineMemory,
  signal: AbortSignal,
): Promise<void> {
  const images = await engine.listImages(signal)
  known.clear()
  for (const { id, names, digests } of images) {
    // Docker says what an id is a digest of, Podman does not
    for (const name of [...names, ...digests]) known.set(name, id.replace(/^sha256:/, ''))
  }
}

/** Under the name by which it is listed, should it be there already. `candidates`: what the engine may call it. */
export function noteImage(
  { images }: EngineMemory,
  candidates: readonly string[],
  id: string,
): string {
  const name = candidates.find((candidate) => images.has(candidate)) ?? candidates[0]
  if (name !== undefined) images.set(name, id)
  return id
}

/** Whoever wants the same meanwhile waits for it. */
export async function gotOnce(
  { pulls }: EngineMemory,
  key: string,
  get: () => Promise<string>,
): Promise<string> {
  const underWay = pulls.get(key)
  if (underWay !== undefined) return underWay
  const getting = get()
  pulls.set(key, getting)
  try {
    return await getting
  } finally {
    pulls.delete(key)
  }
}

/** The image, or the very one that an earlier run used, where that is applied again. */
export async function getImage(
  job: EngineJob,
  image: string,
  ensure: (image: string, policy?: 'missing' | 'always') => Promise<unknown>,
): Promise<void> {
  const { engine, context } = job
  const pinned = pinnedIn(job)
  assertNotKnownHeavy(job, image)
  if (pinned === undefined) {
    await ensure(image)
    await assertUsable(job, image, () => ensure(image, 'always'))
    await assertNotTooHeavy(job, image)
    return
  }
  await ensurePinned(pinned, image, {
    isThere: async (id) => (await engine.imageId(id, context.signal)) !== undefined,
    pull: (digest) => ensure(digest, 'missing'),
  })
  await assertUsable(job, pinned.id)
  await assertNotTooHeavy(job, image, pinned.id)
}
