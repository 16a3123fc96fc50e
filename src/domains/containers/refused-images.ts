/** Registries are asked for moved tags before anything is compared, for all containers at once. */
import type { Target } from '#model/domain.ts'
import { factsOf, problemOf, type ProblemFacts } from '#model/problem.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import type { Resource } from '#model/resource.ts'

type Request = Parameters<Target['observe']>[0]

/** Why a container can't have its image, for those that can't. */
export async function refusedImages(
  request: Request,
  ensure: (spec: Resource['spec'], report: (text: string) => void) => Promise<void>,
): Promise<ReadonlyMap<Ref, ProblemFacts>> {
  const refused = new Map<Ref, ProblemFacts>()
  const valid = request.wanted.filter(
    ({ ref, problems }) => kindOf(ref) === 'container' && problems.length === 0,
  )
  await Promise.all(
    valid.map(async ({ ref, spec }) => {
      try {
        await ensure(spec, (text) => request.report(ref, text))
      } catch (error) {
        request.signal.throwIfAborted()
        refused.set(ref, factsOf(problemOf(error, ref)))
      }
    }),
  )
  return refused
}
