/** Asks registries for moved tags, where a service's pull policy says so, before anything is compared. */
import type { Docker } from '#clients/docker/client.ts'
import type { Target } from '#model/domain.ts'
import { factsOf, problemOf, type ProblemFacts } from '#model/problem.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import type { Memory } from '../memory.ts'
import { ensureImage, isAsking } from '../pull.ts'
import { serviceSpecOf } from '../spec-of.ts'

type Request = Parameters<Target['observe']>[0]

/** Why a container can't have its image, for those that can't. */
export async function refreshImages(
  docker: Docker,
  memory: Memory,
  request: Request,
): Promise<ReadonlyMap<Ref, ProblemFacts>> {
  const refused = new Map<Ref, ProblemFacts>()
  memory.fresh.clear()
  const valid = request.wanted.filter(
    ({ ref, problems }) => kindOf(ref) === 'container' && problems.length === 0,
  )
  await Promise.all(
    valid.map(async ({ ref, spec }) => {
      const { image, pullPolicy: policy, service, build } = serviceSpecOf(spec)
      if (build !== undefined || !isAsking(policy)) return
      const platform = typeof service['platform'] === 'string' ? service['platform'] : undefined
      const report = (text: string): void => request.report(ref, text)
      try {
        await ensureImage(docker, memory, { image, policy, platform, report }, request.signal)
      } catch (error) {
        request.signal.throwIfAborted()
        refused.set(ref, factsOf(problemOf(error, ref)))
      }
    }),
  )
  return refused
}
