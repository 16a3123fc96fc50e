/** Asks registries for moved tags, where a container's pull policy says so. */
import type { Podman } from '#clients/podman/client.ts'
import { refusedImages } from '#domains/containers/refused-images.ts'
import type { Target } from '#model/domain.ts'
import type { Memory } from '../memory.ts'
import { ensureImage } from '../operate/pull.ts'
import { containerSpecOf } from '../spec-of.ts'

export function refreshImages(
  podman: Podman,
  memory: Memory,
  request: Parameters<Target['observe']>[0],
): ReturnType<typeof refusedImages> {
  memory.fresh.clear()
  return refusedImages(request, async (spec, report) => {
    const { image, imagePullPolicy: policy } = containerSpecOf(spec)
    if (policy !== 'always' && policy !== 'newer') return
    await ensureImage(podman, memory, { image, policy, report }, request.signal)
  })
}
