/** What Podman's copy of the API takes and does nothing with: told before anything is touched, not found out later. */
import type { Docker } from '#clients/docker/client.ts'
import type { EngineFacts } from '#clients/docker/system.ts'
import { textOf, textsOf } from '#model/read-json.ts'
import type { ProblemFacts } from '#model/problem.ts'
import { kindOf } from '#model/ref.ts'
import type { Resource } from '#model/resource.ts'
import type { Memory } from '../memory.ts'
import { factsIn } from '../operate/job.ts'
import { serviceSpecOf } from '../spec-of.ts'

/** Asks the engine about itself only when it matters, and then once. */
export async function passesOver(
  docker: Docker,
  memory: Memory,
  wanted: readonly Resource[],
  signal: AbortSignal,
): Promise<(resource: Resource) => ProblemFacts | undefined> {
  if (!wanted.some((resource) => wishOf(resource) !== undefined)) return () => undefined
  const facts = await factsIn(docker, memory, signal)
  return (resource) => {
    const wish = wishOf(resource)
    if (wish === undefined || !isPassedOver(wish, facts)) return undefined
    const { ref, origin } = resource
    return {
      type: 'validation',
      code: 'not_possible_here',
      ref,
      at: origin,
      message: `${wish.what} has no effect on this engine (Podman ${facts.version})`,
      suggestion: wish.advice,
    }
  }
}

type Wish = { readonly what: string; readonly advice: string; readonly since?: number }

/** Only engines with a second API of their own beside Docker's. */
function isPassedOver({ since }: Wish, { version, runsChecksWhenAsked }: EngineFacts): boolean {
  return runsChecksWhenAsked && (since === undefined || Number.parseInt(version, 10) < since)
}

function wishOf({ ref, spec, problems }: Resource): Wish | undefined {
  if (kindOf(ref) !== 'container' || problems.length > 0) return undefined
  const { service } = serviceSpecOf(spec)
  const reserved = service.deploy?.resources?.reservations?.devices ?? []
  if (textsOf(service.external_links).length > 0) {
    return { what: 'external_links', advice: 'put both containers on one network' }
  }
  if ([...(service.gpus ?? []), ...reserved].length > 0) {
    return { what: 'a reserved device', advice: 'name it in devices', since: 5 }
  }
  if (textOf(service.runtime) !== '') {
    return { what: 'runtime', advice: "take it out, or set it in the engine's containers.conf" }
  }
  if (textOf(service.domainname) !== '') {
    return { what: 'domainname', advice: 'write it into hostname' }
  }
  const isBare = textsOf(service.security_opt).some((word) => word.startsWith('systempaths'))
  return isBare ? { what: 'systempaths', advice: 'write unmask=ALL' } : undefined
}
