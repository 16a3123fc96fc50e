/** Asks registries for moved tags, where a service's pull policy says so. */
import type { Docker } from '#clients/docker/client.ts'
import { refusedImages } from '#domains/containers/refused-images.ts'
import type { Target } from '#model/domain.ts'
import type { Memory } from '../memory.ts'
import { ensureImage, isAsking } from '../pull.ts'
import { serviceSpecOf } from '../spec-of.ts'

export function refreshImages(
  docker: Docker,
  memory: Memory,
  request: Parameters<Target['observe']>[0],
): ReturnType<typeof refusedImages> {
  memory.fresh.clear()
  return refusedImages(request, async (spec, report) => {
    const { image, pullPolicy: policy, service, build } = serviceSpecOf(spec)
    if (build !== undefined || !isAsking(policy)) return
    const platform = typeof service.platform === 'string' ? service.platform : undefined
    await ensureImage(docker, memory, { image, policy, platform, report }, request.signal)
  })
}
